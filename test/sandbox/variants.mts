import type { NextFunction, Request, Response } from 'express';
import { Refusal } from './errors.mts';
import { isListPath } from './lists.mts';
import type { State } from './state.mts';

/**
 * Other behavior that keeps the contract, or nearly: where the contract is silent, the sandbox does one thing by
 * default and another with a variant. All variants are off at the start and after reset().
 */
export interface Variants {
	/** Single records, the cluster and the count of new keywords come in `data`, as lists do. */
	wrapRecords: boolean;
	/** Lists announce at least this many records. */
	highTotal: number | null;
	/** The body and sort parameters whose names the contract does not show have other names: see OTHER_NAMES. */
	otherNames: boolean;
}

export const noVariants: Readonly<Variants> = {
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

export function setVariant(state: State, changes: Partial<Variants>): void {
	Object.assign(state.variants, changes);
}

/** Runs before the validator, so that answers are first checked against the document and then changed. */
export function vary(getState: (response: Response) => State) {
	return (request: Request, response: Response, next: NextFunction): void => {
		const { variants } = getState(response);
		const json = response.json.bind(response);
		response.json = (body: unknown) => json(varied(request, response, body, variants));
		if (variants.otherNames) renameBack(request);
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
