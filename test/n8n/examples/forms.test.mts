import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';

import { firstOf } from '../../defined.mts';
import { SHEETS } from '../../examples/sheets.mts';
import { until, type Json } from '../helpers.mts';
import { VERSION } from '../variants.mts';
import { NEWEST } from '../versions.mts';
import { expectSuccess, posted, sandbox, server, setUp, use, refuse } from './helpers.mts';

/* The examples that a person fills in as a form. */

setUp();

/** The login of the forms. */
const headers: Record<string, string> = {
	authorization: `Basic ${btoa('none:none')}`,
	connection: 'close',
};

/** Requests a page of a form, or submits its fields, as browsers do. */
async function visit(
	url: string | URL,
	fields: Array<string | File> = [],
	login: Record<string, string> = headers,
): Promise<string> {
	const body = new FormData();
	for (const [n, field] of fields.entries()) body.set(`field-${n}`, field);
	// A submitted page redirects to the next one, which is requested separately
	const more = fields.length > 0 ? { method: 'POST', body } : {};
	const response = await fetch(url, { redirect: 'manual', headers: login, ...more });
	return response.status < 400 ? await response.text() : String(response.status);
}

/** Submits the first page of a form; returns where the next one will be. */
async function submit(path: string, ...fields: Array<string | File>): Promise<URL> {
	const answer = JSON.parse(await visit(`${server.url}/form/${path}`, fields)) as Json;
	return new URL(answer.formWaitingUrl as string);
}

/** Shows the next page once it is there, as the scripts in these pages do. */
async function nextPage(url: URL): Promise<string> {
	const status = new URL(url);
	status.pathname += '/n8n-execution-status';
	const isThere = async () => (await visit(status)) === 'form-waiting';
	await until('the next page of the form', isThere);
	return await visit(url);
}

/** The same for the last page, which ends the form by itself. */
async function lastPage(url: URL): Promise<string> {
	const page = await nextPage(url);
	await visit(url, ['']);
	return page;
}

/** As browsers name it */
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

// The module of n8n 1.123.0 that reads forms is not installed with it
describe.runIf(VERSION.version === NEWEST)('keywords-from-a-file.json', () => {
	let id: string;
	let count = 0;

	beforeAll(async () => {
		id = await (await use('keywords-from-a-file.json')).publish();
	});

	/** Writes rows as a spreadsheet, with the library that n8n reads them with. */
	function spreadsheet(rows: unknown[][], name: string): Buffer {
		const { utils, write } = createRequire(server.n8nBin)('@e965/xlsx') as Json;
		const book = utils.book_new();
		utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Keywords');
		return write(book, { type: 'buffer', bookType: name.split('.').at(-1) });
	}

	it.each(SHEETS)(
		'$about: adds the keywords, or tells the visitor why not',
		async ({ name, content, keywords, fault, words, ...more }) => {
			const { column = 'Keyword', sheet = 'Keywords' } = more;
			const { nth = 2, ...spec } = fault ?? {};
			const times = 'status' in spec ? null : 1;
			const match = { method: 'POST', path: '/v1/keywords', nth, times };
			if ('kind' in spec) sandbox.fault({ match, ...spec });
			const bytes = Array.isArray(content) ? spreadsheet(content, name) : Buffer.from(content);
			const type = name.endsWith('xlsx') ? XLSX : 'text/csv';
			const file = new File([new Uint8Array(bytes)], name, { type });
			const page = await lastPage(await submit('add-keywords', file, column, sheet));
			expect(page).toContain(words ?? `${keywords?.length} different keywords sent`);
			const sent = new Set(posted('/v1/keywords').flatMap((one) => one.keywords as string[]));
			expect([...sent]).toEqual(keywords ?? []);
			// Whatever it says, because the visitor has read it
			expectSuccess(await server.waitForExecution(id, ++count));
		},
	);

	it('after n8n was stopped, the same file adds what is missing, also when two visitors send it at once', async () => {
		const all = Array.from({ length: 250 }, (_, n) => `a tea with the number ${n}`);
		const file = new File([`Keyword\n${all.join('\n')}`], 'k.csv', { type: 'text/csv' });
		const upload = async () => await submit('add-keywords', file, 'Keyword', '-');
		sandbox.fault({ match: { method: 'POST', path: '/v1/keywords', nth: 2 }, kind: 'hang' });
		const killed = await upload();
		await until('the second request', () => posted('/v1/keywords').length > 1);
		await server.kill();
		await server.start();
		expect(await visit(killed)).toContain('Problem loading form');
		const both = await Promise.all([upload(), upload()]);
		for (const one of both) expect(await lastPage(one)).toContain('250 different keywords sent');
		const added = sandbox.state.all('keyword').map(({ keyword }) => keyword);
		expect(added.filter((keyword) => all.includes(keyword)).sort()).toEqual(all.sort());
	});
});

describe('approve-competitors.json', () => {
	const FORM = 'approve-competitors';
	let id: string;
	beforeAll(async () => {
		id = await (await use('approve-competitors.json')).publish();
	});

	const competitors = (state: string) =>
		[...sandbox.state.all('competitor')].filter((one) => one.state === state);
	const mostMentioned = () =>
		competitors('discovered').sort((one, other) => other.mentions - one.mentions);

	it('tracks what was approved after a login, and says why the others are not tracked', async () => {
		const [refused, tracked, known, tooMany, unclear, notShown] = firstOf(mostMentioned(), 6);
		const shown = [refused, tracked, known, tooMany, unclear].map(({ domain }) => domain);
		const form = `${server.url}/form/${FORM}`;
		for (const fields of [[], ['5']])
			expect(await visit(form, fields, { authorization: '' })).toBe('401');
		expect(await visit(form)).toContain('How many to show');
		const waiting = await submit(FORM, '5');
		const page = await nextPage(waiting);
		for (const domain of shown) expect(page).toContain(domain);
		expect(page).not.toContain(notShown.domain);
		// In the meantime, a colleague tracks one of them, and the plan has room for one more
		sandbox.edit('competitor', known.id, { state: 'tracked' });
		sandbox.setCompetitorLimit(competitors('tracked').length + 1);
		refuse('POST', '/v1/competitors', { status: 403 });
		// The first try may have arrived, and nobody can say so afterwards
		const match = { method: 'POST', path: '/v1/competitors', nth: 5 };
		sandbox.fault({ match, kind: 'cutAfter' });
		refuse('POST', '/v1/competitors', { status: 403, nth: 6 });
		await visit(waiting, [JSON.stringify(shown)]);
		const report = await lastPage(waiting);
		for (const words of [
			`${refused.domain}: not tracked. `,
			`${tracked.domain}: tracked from now on`,
			`${known.domain}: was tracked already`,
			`${tooMany.domain}: not tracked, the plan's limit is reached`,
			`${unclear.domain}: may be tracked, look it up before you try again`,
		])
			expect(report).toContain(words);
		expectSuccess(await server.waitForExecution(id));
		expect(sandbox.state.get('competitor', tracked.id)?.state).toBe('tracked');
	});

	it('shows only those that are not tracked when it is opened again after n8n was stopped', async () => {
		const waiting = await submit(FORM, '3');
		await nextPage(waiting);
		const domains = mostMentioned().map(({ domain }) => domain);
		sandbox.fault({ match: { method: 'POST', path: '/v1/competitors', nth: 2 }, kind: 'hang' });
		await visit(waiting, [JSON.stringify(domains.slice(0, 3))]);
		await until('the second one', () => posted('/v1/competitors').length > 1);
		await server.kill();
		await server.start();
		const page = await nextPage(await submit(FORM, '3'));
		expect(domains.filter((domain) => page.includes(domain))).toEqual(domains.slice(1, 4));
	});

	it('says on the next page which numbers are allowed, that there is none to approve, or why they cannot be read', async () => {
		const answerTo = async (field: string) => await lastPage(await submit(FORM, field));
		for (const field of ['0', '-3', '2.5', 'abc']) {
			const page = await answerTo(field);
			expect(page, field).toContain('How many to show must be a whole number, at least 1.');
		}
		refuse('GET', '/v1/competitors', { times: null });
		const page = await answerTo('5');
		expect(page).toContain('No competitors were read');
		expect(page).toContain('The service rejected the request');
		sandbox.clearFaults();
		for (const one of competitors('discovered'))
			sandbox.edit('competitor', one.id, { state: 'tracked' });
		expect(await answerTo('5')).toContain('Nothing to approve');
	});
});
