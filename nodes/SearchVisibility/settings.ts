import type { IDataObject } from 'n8n-workflow';

import { textList } from '../shared/parameters/textList';
import { isGiven } from '../shared/parameters/values';

export type ItemSettings = ReturnType<typeof settingsIn>;

/** @param values the values of all parameters, which have been checked */
export function settingsIn({ customBody, ...values }: IDataObject) {
	const numberIn = (name: string) => (typeof values[name] === 'number' ? values[name] : undefined);
	return {
		/** Maximum number of records to list; undefined for all of them */
		limit: numberIn('limit'),
		simplify: values.simplify !== false && values.output !== 'raw',
		/** The fields to return besides the ID; if undefined, `simplify` decides */
		outputFields: isGiven(values.fields) ? textList(values.fields) : undefined,
		dryRun: values.dryRun === true,
		returnExisting: values.ifExists === 'returnExisting',
		returnIncomplete: values.ifIncomplete === 'return',
		/** How many entries one request may carry for all items together; the first valid item decides */
		batchSize: numberIn('batchSize'),
		/** Sent instead of the parameters: an object or a list */
		customBody: typeof customBody === 'object' && customBody !== null ? customBody : undefined,
	};
}
