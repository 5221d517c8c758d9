import { afterAll, beforeAll, expect, it } from 'vitest';

import { startWorkspaces, type Workspaces } from './workspaces.mts';

let service: Workspaces;

beforeAll(async () => {
	service = await startWorkspaces({ keys: ['one', 'two'], seed: { question: 5 } });
});
afterAll(async () => {
	await service.close();
});

const ask = async (key: string, path: string) =>
	await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });

const idsOf = async (key: string, path: string) => {
	const { data } = (await (await ask(key, path)).json()) as {
		data: { items: Array<{ id: string }> };
	};
	return data.items.map(({ id }) => id);
};

it('Each key has its own records, and discoveries alternate', async () => {
	const page = service.discover(1);
	const question = service.discover(0);
	const [questions, pages] = ['/v1/people-also-ask', '/v1/ai-visibility/citations'];
	expect(await idsOf('one', questions)).toHaveLength(5 + 1);
	expect(await idsOf('one', questions)).toContain(question);
	expect(await idsOf('two', questions)).not.toContain(question);
	expect([await idsOf('one', pages), await idsOf('two', pages)]).toEqual([[], [page]]);
	expect(service.responseViolations).toEqual([]);
});

it('An unknown key is refused', async () => {
	const { status } = await ask('three', '/v1/people-also-ask');
	expect(status).toBe(401);
});

it('Requests are recorded with their workspace, and cleared on request', async () => {
	service.clear();
	await ask('two', '/v1/people-also-ask?limit=1');
	await ask('three', '/v1/people-also-ask');
	expect(service.visits).toMatchObject([
		{ workspace: 1, path: '/v1/people-also-ask', query: { limit: '1' }, served: 200 },
	]);
	service.clear();
	expect(service.visits).toEqual([]);
});
