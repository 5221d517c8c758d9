import { expect, it } from 'vitest';

import { textService, wrappedService } from './strangers.mts';
import { ALL_WORK, verified } from './verified.mts';

const HERE = 'what these services answer is in test/verify/strangers.mts';

/** What differs, without how often. */
const asked = (differs: string[]) => differs.map((line) => line.slice(0, line.indexOf(': ')));

const LISTS = [
	'keywords',
	'competitors',
	'forum-opportunities',
	'people-also-ask',
	'backlinks',
	'ai-visibility/citations',
	'actions',
].map((name) => `GET /v1/${name}`);
const CLUSTER = 'GET /v1/keywords/{id}/cluster';
const PAGES = 'GET /v1/ai-visibility/citations';

it('verify says that all reads work with a service that sends numbers as texts and does not sort cited pages, and what differs', async () => {
	const { firstLine, differs, facts } = await verified(textService());
	expect(firstLine, HERE).toBe(`${ALL_WORK} 12 facts differ; the node minds 1.**`);
	const shapes = [...LISTS, CLUSTER].map((route) => `${route}, shape`);
	const keys = ['citations', 'lastSeenAt', 'firstSeenAt', 'domain'];
	const orders = keys.map((key) => `${PAGES}, sortBy=${key}`);
	expect(asked(differs).sort()).toEqual([...shapes, ...orders].sort());
	const minded = facts.filter(({ minds, state }) => state === 'differs' && minds.startsWith('Yes'));
	expect(minded.map(({ about }) => about)).toEqual([`${PAGES}, sortBy=domain`]);
});

it('verify says that all reads work with a service that wraps records and sends small pages without their offset, and what differs', async () => {
	const { firstLine, differs, facts } = await verified(wrappedService());
	expect(firstLine, HERE).toBe(`${ALL_WORK} 13 facts differ; the node minds 1.**`);
	const wrapped = ['GET /v1/workspace, shape', 'GET /v1/workspace, test of the credential'];
	const shapes = [...LISTS, CLUSTER].map((route) => `${route}, shape`);
	const long = ['keywords, type=all', 'keywords, type=new', 'people-also-ask'];
	const short = long.map((name) => `GET /v1/${name}`);
	expect(asked(differs).sort()).toEqual([...wrapped, ...shapes, ...short].sort());
	const minded = facts.filter(({ minds, state }) => state === 'differs' && minds.startsWith('Yes'));
	expect(minded.map(({ minds }) => minds)).toEqual([
		'Yes: the test of the credential fails; save the credential nevertheless',
	]);
});
