import type { IDataObject } from 'n8n-workflow';

import type { OperationOf, Unchecked } from '../../../../contract/operations';
import { countOf, textList } from '../../../shared/parameters/values';
import type { Field } from '../../../shared/parameters/field';
import { forNode, inBody } from '../../../shared/parameters/field';
import type { Operation } from '../../operation';
import { customBody } from '../common';

const batchSize: Field = forNode({
	displayName: 'Batch Size',
	name: 'batchSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
	default: 100,
	description:
		'Max number of keywords per request, across all items. The value of the first item applies to all items.',
});

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create keywords',
	description:
		'Add one or more keywords. Keywords that already exist are skipped. Returns one item per request with the number of keywords submitted, added, and skipped; the keywords of all input items share as few requests as possible.',
	method: 'POST',
	path: '/v1/keywords',
	answer: 'record',
	repeatable: '4.2',
	afterRepeat: { count: null, skipped: null },
	fields: [
		inBody(
			{
				displayName: 'Keywords',
				name: 'keywords',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				required: true,
				placeholder: 'e.g. green tea, loose leaf tea',
				builderHint: {
					propertyHint:
						'One item may carry many keywords; the node gathers the keywords of all items into few requests, so no batching is needed before it.',
				},
				description:
					'Keywords to add, separated by commas or line breaks, or an array from an expression. For keywords that contain a comma, enter a JSON list, such as ["tea, green", "tea, black"].',
			},
			{ check: textList },
		),
	],
	options: [batchSize, customBody],
	batches: 'keywords',
	done: ({ body }) => ({ submitted: countSubmitted(body), count: null, skipped: null }),
	output: (answer, { body }) => {
		const submitted = countSubmitted(body);
		const { count: given }: Unchecked<'createKeywords'> = answer;
		const count = countOf(given);
		if (count === undefined) return { submitted, count: null, skipped: null, response: answer };
		const isClear = submitted !== null && submitted >= count;
		return { submitted, count, skipped: isClear ? submitted - count : null };
	},
} satisfies OperationOf<'createKeywords'>;

/** A custom body may have its keywords under any name, because the contract does not show it (4.2). */
function countSubmitted(body: IDataObject): number | null {
	const [list, ...others] = Object.values(body).filter((value) => Array.isArray(value));
	return list && others.length === 0 ? list.length : null;
}
