/* Titles and addresses of pages that others chose to break a message, or to choose its words. */

export const HOSTILE: Array<{ url: string; title: string | null }> = [
	{ url: 'https://evil.example/?q=|Your bank', title: 'A pipe' },
	{ url: 'https://evil.example/?q=>*Win*<https://evil.example|', title: 'An angle' },
	{ url: 'https://evil.example/?a=1&lt;b', title: 'An entity' },
	{ url: 'https://evil.example/a b', title: 'A space' },
	{ url: 'https://evil.example/1', title: 'Two\nlines' },
	{ url: 'https://evil.example/2', title: '• <https://evil.example|A page of ours> (your page)' },
	{ url: 'https://evil.example/3', title: '<!channel> <@U123> <#C123>' },
	{ url: 'https://evil.example/4', title: 'Tea & <b>biscuits</b>' },
	{ url: 'https://evil.example/5', title: 'a\r\n\r\nSubject: b\u2028c\u0000' },
	{ url: 'https://evil.example/6', title: '{{ $json.apiKey }} ${1 + 1}' },
	{ url: 'https://evil.example/7', title: 'tea '.repeat(200) },
	{ url: 'https://evil.example/8', title: '' },
	{ url: 'https://evil.example/9', title: null },
	{ url: 'https://evil.example/10', title: ' \u00a0\t ' },
	{
		url: `https://evil.example/?a='onclick='alert(1)"onclick="alert(1)`,
		title: `"' onclick='alert(1)'>`,
	},
	{
		url: 'https://evil.example/\u202ekcab',
		title: '\u202eyour page\u202c \u2066\u05d0\u05d1\u05d2',
	},
	{ url: 'https://evil.example/13', title: 'x'.repeat(10_000) },
	{ url: 'https://evil.example/14', title: `${'x'.repeat(99)}🫖🫖` },
	{ url: 'https://evil.example/15', title: `${'x'.repeat(199)}🫖🫖` },
	{ url: 'javascript:alert(1)', title: 'No web address' },
];

/** What becomes of a text that others wrote: one line, without signs that turn the direction of what follows. */
export const inOneLine = (text: string): string =>
	text.replaceAll(/[\s\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();

/** What such a page is called: its title, or else its address, cut between two characters. */
export const titleOf = ({ url, title }: { url: string; title: string | null }, length: number) =>
	[...(inOneLine(title ?? '') || inOneLine(url))].slice(0, length).join('');

/** Where it leads to; undefined if that is no address of the web. */
export const linkOf = ({ url }: { url: string }): string | undefined =>
	url.startsWith('https://')
		? url.replaceAll(/[\s<>"|\u202e]/g, (sign) => encodeURIComponent(sign))
		: undefined;

/** What Slack shows of a message, as its documentation says: links with their words, and all other text. */
export function shownBySlack(text: string) {
	const plain = (one: string) =>
		one.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
	const found = text.matchAll(/<([^<>|]*)(?:\|([^<>]*))?>/g);
	const links = [...found].map(([, url = '', words = url]) => [plain(url), plain(words)] as const);
	return {
		links: links.map(([url, words]) => ({ url, words })),
		lines: text.split(/[\n\r\u2028]/),
	};
}
