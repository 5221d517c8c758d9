import type { IDataObject } from 'n8n-workflow';

import { requestOf } from './itemInput';
import type { ItemInput, Operation } from './operation';

/**
 * Never copied from the input item, even if the request has no such field: its `body` would look like the one that is sent. With
 * `error` in the first item, n8n takes a dry run for a failure, and Retry On Fail runs it again.
 */
const LEFT_OUT = ['wouldDo', 'dryRun', 'method', 'path', 'query', 'body', 'error'];

/**
 * @returns the output of a dry run: what would be done, in words and as a request, then the fields of the input item, because
 * an ID alone tells nobody what it is about
 */
export function dryRunItem(operation: Operation, input: ItemInput): IDataObject {
	const { method, path, query = {}, body } = requestOf(operation, input);
	const hasQuery = Object.keys(query).length > 0;
	const item: IDataObject = { wouldDo: inWords(operation, input), dryRun: true, method, path };
	if (hasQuery) item.query = query;
	if (body) item.body = body;
	// A batch has entries of several items
	if (operation.batchField) return item;
	return { ...item, ...otherFields(input.item) };
}

function otherFields(item: IDataObject): IDataObject {
	const others = Object.entries(item).filter(([name]) => !LEFT_OUT.includes(name));
	return Object.fromEntries(others);
}

/** Puts the parameters into words, but not a custom body, which may say anything. */
function inWords({ action, wouldDo }: Operation, input: ItemInput): string {
	const { id, body, settings } = input;
	if (settings.customBody) return `Send the custom body${id === undefined ? '' : ` for ${id}`}`;
	if (wouldDo) return wouldDo(input);
	const { title, url, domain } = body;
	const quotedTitle = title === undefined ? undefined : `"${String(title)}"`;
	return `${action} ${String(id ?? quotedTitle ?? url ?? domain)}`;
}
