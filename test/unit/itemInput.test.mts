import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import * as fields from '../../nodes/shared/parameters/field.ts';
import * as itemInput from '../../nodes/SearchVisibility/itemInput.ts';
import { byId, itemsOf, runNode, useService } from './nodeContext.mts';

const service = useService();

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

	it.each<[IDataObject, object]>([
		[
			{ resource: 'keyword', operation: 'getAll', filters: { competitorId: byId(17) } },
			{ query: { competitorId: '17' } },
		],
		[
			{
				...{ resource: 'action', operation: 'create', type: 'write_article', title: 'x' },
				additionalFields: { keywordIds: 'k1, k2' },
			},
			{ body: { type: 'write_article', title: 'x', keywordIds: ['k1', 'k2'] } },
		],
		// A parameter that the user adds stands instead of one that a field sends
		[
			{
				...{ resource: 'keyword', operation: 'getAll', type: 'new' },
				options: { queryParameters: { parameters: [{ name: 'type', value: 'planned' }] } },
			},
			{ query: { type: 'planned' } },
		],
		// An ID in the path stays one part of it
		[
			{ resource: 'question', operation: 'archive', questionId: byId('a+b=c:d@e') },
			{ path: '/v1/people-also-ask/a%2Bb%3Dc%3Ad%40e' },
		],
	])('of %j is %j', async (parameters, sent) => {
		service.lists['/v1/keywords'] = () => [];
		await runNode(service, { parameters });
		expect(service.sent).toMatchObject([sent]);
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
