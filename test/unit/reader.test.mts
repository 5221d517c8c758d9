import { expect, it } from 'vitest';

import * as inputs from '../../nodes/SearchVisibility/itemInput.ts';
import type { Operation } from '../../nodes/SearchVisibility/operation.ts';
import * as reader from '../../nodes/SearchVisibility/reader.ts';
import type { ServiceRequest } from '../../nodes/shared/request/client.ts';

/** A list that says it has two records, and gives one. */
const client = {
	request: async ({ query = {} }: ServiceRequest) => {
		const items = query.offset === 0 ? [{ id: 'known' }] : [];
		return await Promise.resolve({ data: { items, total: 2, offset: query.offset } });
	},
	pause: async () => await Promise.resolve(),
};

const operation: Operation = {
	value: 'ofCompetitors',
	name: 'Of Competitors',
	description: '',
	method: 'GET',
	path: '/v1/competitors',
	returns: 'list',
	parameters: [],
	execute: async (_, { competitors }) => await competitors(),
};

const inputWith = (returnIncomplete: boolean) => {
	const input = inputs.newInput(0);
	return { ...input, settings: { ...input.settings, returnIncomplete } };
};

it('an incomplete list of competitors that several items share fails for each item that does not want it, and is counted once', async () => {
	const { signal } = new AbortController();
	const reading = new reader.Reader(client, operation);
	const read = async (returnIncomplete: boolean) =>
		await reading.read(inputWith(returnIncomplete), signal);
	await expect(read(true)).resolves.toEqual([{ id: 'known' }]);
	await expect(read(false)).rejects.toMatchObject({ details: { missing: 1 } });
	await expect(read(true)).resolves.toEqual([{ id: 'known' }]);
	expect(reading.missingCount).toBe(1);
});
