import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { byId, itemsOf, useService } from './nodeContext.mts';

const service = useService();

describe('what is sent for an item', () => {
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
		// An ID in the path stays one part of it
		[
			{ resource: 'question', operation: 'archive', questionId: byId('a+b=c:d@e') },
			{ path: '/v1/people-also-ask/a%2Bb%3Dc%3Ad%40e' },
		],
	])('of %j is %j', async (parameters, sent) => {
		service.lists['/v1/keywords'] = () => [];
		await service.run({ parameters });
		expect(service.sent).toMatchObject([sent]);
	});

	it('has the limits of its item', async () => {
		service.respond = () => ({ statusCode: 502 });
		await service.run({
			items: itemsOf({ timeout: 500, maxRetries: 1 }, { timeout: 700, maxRetries: 2 }),
			parameters: (requestOptions) => ({ resource: 'workspace', operation: 'get', requestOptions }),
			continues: true,
		});
		const timeouts = service.sent.map(({ timeout }) => timeout);
		expect(timeouts.sort()).toEqual([1500, 1500, 1700, 1700, 1700]);
	});
});
