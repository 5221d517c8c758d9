import type { NextFunction, Request, Response } from 'express';
import { itemAt } from '../defined.mts';
import { Refusal } from './errors.mts';
import { isListPath } from './lists.mts';
import { entryOf } from './requestLog.mts';
import type { State } from './state.mts';

/**
 * Other behavior that keeps the contract, or nearly: where the contract is silent, the sandbox does one thing by
 * default and another with a variant. All variants are off at the start and after reset().
 */
export interface Variants {
	/** Positions of actions run against their age: a newer one is listed before an older one. */
	oldPositions: boolean;
	/** Restoring a record that is not archived gives 404 (keywords, backlinks, prompts). */
	restoreActive404: boolean;
	/** Maximum number of records on a page, whatever was asked for; the envelope shows it as `limit`. */
	pageSize: number | null;
	/** Single records, the cluster and the count of new keywords come in `data`, as lists do. */
	wrapRecords: boolean;
	/** Lists announce at least this many records. */
	highTotal: number | null;
	/** The body and sort parameters whose names the contract does not show have other names: see OTHER_NAMES. */
	otherNames: boolean;
}

export const noVariants: Readonly<Variants> = {
	oldPositions: false,
	restoreActive404: false,
	pageSize: null,
	wrapRecords: false,
	highTotal: null,
	otherNames: false,
};

/** The names that the contract assumes in a request, and those that a service may use instead. */
const OTHER_NAMES: Array<{ method: string; path: RegExp; names: Record<string, string> }> = [
	{ method: 'POST', path: /^\/v1\/keywords$/, names: { keywords: 'terms' } },
	{ method: 'POST', path: /^\/v1\/competitors$/, names: { domain: 'website' } },
	{ method: 'PATCH', path: /^\/v1\/backlinks\/[^/]+\/update$/, names: { status: 'state' } },
	{
		method: 'GET',
		path: /^\/v1\/ai-visibility\/citations$/,
		names: { sortBy: 'sort', sortOrder: 'order' },
	},
];

/** Higher than any position that is assigned by counting up. */
const LAST_POSITION = 1_000_000;

/** The position at the end of the internal ordering of actions. */
export function nextPosition(state: State): number {
	const { oldPositions } = state.variants;
	const sql = `SELECT ${oldPositions ? 'min' : 'max'}(position) AS last FROM action WHERE workspace = $1`;
	const { last } = itemAt(state.query<{ last: number | null }>(sql), 0);
	return oldPositions ? (last ?? LAST_POSITION) - 1 : (last ?? 0) + 1;
}

export function setVariant(state: State, changes: Partial<Variants>): void {
	const { oldPositions = state.variants.oldPositions } = changes;
	if (oldPositions !== state.variants.oldPositions) {
		for (const { id, position } of state.all('action')) {
			state.update('action', { position: LAST_POSITION - position }, id);
		}
	}
	Object.assign(state.variants, changes);
}

const active = (variants: Variants) =>
	Object.entries(variants).flatMap(([name, value]) => (value ? [name] : []));

/** Runs before the validator, so that answers are first checked against the document and then changed. */
export function vary(getState: (response: Response) => State) {
	return (request: Request, response: Response, next: NextFunction): void => {
		const { variants } = getState(response);
		const names = active(variants);
		if (names.length > 0) {
			entryOf(response).assumed = names;
			const json = response.json.bind(response);
			response.json = (body: unknown) => json(varied(request, response, body, variants));
			if (variants.otherNames) renameBack(request);
		}
		next();
	};
}

/** The document knows only the assumed names, so it gets these; a client that sends them is refused. */
function renameBack(request: Request): void {
	const { method, path, body } = request;
	const { names = {} } =
		OTHER_NAMES.find((other) => other.method === method && other.path.test(path)) ?? {};
	const renamed = (sent: object): Array<[string, unknown]> =>
		Object.entries(sent).map(([name, value]) => {
			if (name in names) throw new Refusal(400, 'validation-failed', `Unknown name '${name}'`);
			const assumed = Object.keys(names).find((one) => names[one] === name);
			return [assumed ?? name, value];
		});
	const query = Object.fromEntries(renamed(request.query));
	// Express parses the query again each time
	Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true });
	if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
		request.body = Object.fromEntries(renamed(body as object));
	}
}

function varied(request: Request, response: Response, body: unknown, variants: Variants): unknown {
	if (response.statusCode >= 300) return body;
	const { wrapRecords, highTotal } = variants;
	if (request.method !== 'GET' || !isListPath(request.path)) {
		return wrapRecords ? { data: body } : body;
	}
	const { data } = body as { data: { total: number } };
	return { data: { ...data, total: Math.max(data.total, highTotal ?? 0) } };
}
