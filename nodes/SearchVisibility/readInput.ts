import type { IExecuteFunctions } from 'n8n-workflow';

import type { Field } from '../shared/parameters/field';
import { toNodeError } from '../shared/errors/nodeErrors';
import { readFields } from '../shared/parameters/readFields';
import { newInput, put } from './itemInput';
import type { ItemInput, Operation } from './operation';
import { settingsIn } from './settings';

/**
 * Reads and checks the parameters of one input item.
 * @param fields those of the operation, including options
 * @throws NodeOperationError that names the parameter and the item
 */
export function readInput(
	context: IExecuteFunctions,
	operation: Operation,
	fields: Field[],
	itemIndex: number,
): ItemInput {
	const input = newInput(itemIndex);
	try {
		readFields(fields, (name) => context.getNodeParameter(name, itemIndex, null), {
			values: input.values,
			put: (field, value) => put(input, field, value),
			lookUp: (field, url) => input.lookups.push({ field, url }),
		});
		operation.check?.(input);
		return { ...input, settings: settingsIn(input.values) };
	} catch (error) {
		throw toNodeError(context.getNode(), error, itemIndex);
	}
}
