import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import * as fields from '../../nodes/shared/parameters/field.ts';
import * as itemInput from '../../nodes/SearchVisibility/itemInput.ts';
import { byId, FakeService, itemsOf, runNode } from './nodeContext.mts';

let service: FakeService;
beforeEach(() => {
	vi.useFakeTimers();
	service = new FakeService();
});
afterEach(() => void vi.useRealTimers());

/** What the service gets for a call. */
async function sentFor(parameters: IDataObject) {
	await runNode(service, { parameters });
	return itemAt(service.sent, -1);
}

describe('what is sent for an item', () => {
	it('is none of the choices that the node does not send, which it remembers all the same', () => {
		const property = { displayName: 'Type', name: 'type', type: 'options', default: '' } as const;
		const field = fields.inQuery(property, { notSent: ['all', 'any'] });
		const inputFor = (value: string) => {
			const input = itemInput.newInput(0);
			itemInput.put(input, field, value);
			return { values: input.values, query: input.query };
		};
		expect(inputFor('any')).toEqual({ values: { type: 'any' }, query: {} });
		expect(inputFor('new')).toEqual({ values: { type: 'new' }, query: { type: 'new' } });
	});

	it('is text in the query, and keeps its type in the body', async () => {
		service.lists['/v1/keywords'] = () => [];
		const { query } = await sentFor({
			...{ resource: 'keyword', operation: 'getAll', type: 'new' },
			filters: { competitorId: byId(17) },
		});
		expect(query.competitorId).toBe('17');
		const { body } = await sentFor({
			...{ resource: 'action', operation: 'create', type: 'write_article', title: 'x' },
			additionalFields: { keywordIds: 'k1, k2' },
		});
		expect(body).toEqual({ type: 'write_article', title: 'x', keywordIds: ['k1', 'k2'] });
	});

	it('is an ID in the path that stays one part of it', async () => {
		const { path } = await sentFor({
			resource: 'question',
			operation: 'archive',
			questionId: byId('a+b=c:d@e'),
		});
		expect(path).toBe('/v1/people-also-ask/a%2Bb%3Dc%3Ad%40e');
	});

	it('has the limits of its item', async () => {
		service.respond = () => ({ statusCode: 502 });
		await runNode(service, {
			items: itemsOf({ timeout: 500, maxRetries: 1 }, { timeout: 700, maxRetries: 2 }),
			parameters: (options) => ({
				...{ resource: 'question', operation: 'archive', questionId: byId(options.timeout) },
				options,
			}),
			continues: true,
		});
		const tries = (id: string) => service.sent.filter(({ path }) => path.endsWith(id));
		expect(tries('500').map(({ timeout }) => timeout)).toEqual([1500, 1500]);
		expect(tries('700').map(({ timeout }) => timeout)).toEqual([1700, 1700, 1700]);
	});
});
