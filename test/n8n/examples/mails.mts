import { createRequire } from 'node:module';
import { expect } from 'vitest';

import { itemAt } from '../../defined.mts';
import { type HOSTILE, inOneLine, linkOf, titleOf } from '../../examples/hostile.mts';
import { ago, discoverWeeks } from '../../examples/weeks.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { Execution } from '../client.mts';
import { openSandbox, outputOf, type Json } from '../helpers.mts';
import type { Email } from '../mailbox.mts';
import { mailbox, server, use, type UseOptions } from './helpers.mts';

/* What the messages and emails of the examples show. */

/** Of a page that was first cited, and for the last time, so many days ago. */
export const seen = (first: number, last = first) => ({
	firstSeenAt: ago(first),
	lastSeenAt: ago(last),
});

/** A service in which the share of a brand has risen for eight weeks. */
export async function openWeeks(): Promise<Sandbox> {
	const service = await openSandbox({ empty: true });
	discoverWeeks(service);
	return service;
}

/** The messages that a node has sent. */
export const textsOf = (execution: Execution, name: string) =>
	outputOf(execution, name).map(({ text }) => text as string);

/** Runs an example with what its trigger has found; returns its one message. */
export async function messageOf(
	file: string,
	name: string,
	options: UseOptions = {},
): Promise<string> {
	const texts = textsOf(await (await use(file, options)).succeed(), name);
	expect(texts).toHaveLength(1);
	return itemAt(texts, 0);
}

/** The one email that has arrived. */
export function theEmail(): Email {
	expect(mailbox.emails).toHaveLength(1);
	return itemAt(mailbox.emails, 0);
}

/** The same after an example has run. */
export async function emailOf(file: string, options: UseOptions = {}): Promise<Email> {
	mailbox.clear();
	await (await use(file, options)).succeed();
	return theEmail();
}

/** What a browser makes of the HTML of an email, with the parser that n8n has among its dependencies. */
export function shownIn({ html }: Pick<Email, 'html'>) {
	const { load } = createRequire(server.n8nBin)('cheerio') as Json;
	const $ = load(html.replaceAll('</td>', ' </td>'));
	const each = <T,>(selector: string, what: (element: Json) => T): T[] =>
		$(selector)
			.toArray()
			.map((element: unknown) => what($(element)));
	return {
		links: each('a', (one) => ({ url: one.attr('href') as string, words: one.text() as string })),
		/** The texts of these elements, each in one line */
		texts: (selector: string) => each(selector, (one) => inOneLine(one.text())),
		/** The widths of all bars in percent, in order */
		bars: (selector = 'td') =>
			each(selector, (one) => /width: (\d+)%; height/.exec(one.attr('style') ?? '')?.[1])
				.filter((width) => width !== undefined)
				.map(Number),
		tags: each('*', (one) => one.get(0).name as string),
		attributes: each('*', (one) => Object.keys(one.get(0).attribs)).flat(),
		text: inOneLine($('body').text()),
	};
}

/** What the titles of pages become, as links where their addresses are some of the web. */
export const linked = (hostile: typeof HOSTILE, length: number) =>
	hostile.flatMap((one) => {
		const url = linkOf(one);
		return url === undefined ? [] : { url, words: titleOf(one, length).trim() };
	});
/** A database takes no NUL */
export const stored = (title: string | null) => (title ?? '').replaceAll('\0', '');
/** Half a character, what turns the direction of the rest, and addresses that are no place */
export const BROKEN = /[\p{Surrogate}\ufffd\p{Bidi_Control}\0]|javascript:/u;
const TAGS =
	'a b body br div h1 h2 head html li meta ol p span style table tbody td th tr ul'.split(' ');
const ATTRIBUTES =
	'cellpadding cellspacing charset class content dir href lang name role style'.split(' ');

/** No address or title of others does more in an email than stand there. */
export function expectSafe({ html, text, subject }: Email, hostile: typeof HOSTILE): void {
	const { links, tags, attributes } = shownIn({ html });
	const trimmed = links.map(({ url, words }) => ({ url, words: words.trim() }));
	for (const one of linked(hostile, 200)) expect(trimmed).toContainEqual(one);
	expect(links.filter(({ url }) => !/^https?:\/\/[^\s<>"]+$/.test(url))).toEqual([]);
	expect(tags.filter((tag) => !TAGS.includes(tag))).toEqual([]);
	expect(attributes.filter((one) => !ATTRIBUTES.includes(one))).toEqual([]);
	for (const form of [html, text, subject]) expect(form).not.toMatch(BROKEN);
	// A title stays in one line
	for (const one of hostile) expect(text).toContain(titleOf(one, 200).trim());
}
