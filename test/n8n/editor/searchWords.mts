/** What people look for in the nodes panel, in one and in several. */
const NOUNS = [
	...['citation', 'cited page', 'backlink', 'keyword', 'competitor', 'related question', 'prompt'],
	...['forum opportunity', 'category', 'content action', 'workspace', 'sitemap'],
	...['ai mention', 'ai answer', 'ai overview', 'answer engine', 'brand mention'],
];

const severalOf = (noun: string) => `${noun}s`.replace(/ys$/, 'ies');

export const SEARCH_WORDS = [
	...NOUNS.flatMap((noun) => [noun, severalOf(noun)]),
	...[
		'google search console',
		'search console',
		'indexing',
		'people also ask',
		'seo',
		'geo',
		'url inspection',
	],
	...['chatgpt', 'perplexity', 'brand monitoring', 'share of voice', 'ai visibility', 'alert'],
];
