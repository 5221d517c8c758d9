import type { NextFunction, Request, Response } from 'express';
import { isListPath } from './lists.mts';
import { entryOf } from './requestLog.mts';
import type { State } from './state.mts';

/**
 * What a service may do that keeps the contract too, or nearly: where the contract is silent, the sandbox does one thing
 * by default and another one with a variant. All are off at the start and after reset().
 */
export interface Variants {
	/** Positions of actions run against their age: a younger one is listed before an older one. */
	oldPositions: boolean;
	/** Restoring what is not archived gives 404 (keywords, backlinks, prompts). */
	restoreActive404: boolean;
	/** The most records of a page, whatever was asked for; `limit` of the envelope says so. */
	pageSize: number | null;
	/** Single records, the cluster and the count of new keywords come in `data`, as lists do. */
	wrapRecords: boolean;
	/** Lists announce at least so many records. */
	highTotal: number | null;
}

export const noVariants: Readonly<Variants> = {
	oldPositions: false,
	restoreActive404: false,
	pageSize: null,
	wrapRecords: false,
	highTotal: null,
};

/** Higher than any position that counts up. */
const LAST_POSITION = 1_000_000;

/** The place of the nth action. */
export const positionOf = (n: number, { oldPositions }: Variants) =>
	oldPositions ? LAST_POSITION - n : n;

export function setVariant(state: State, changes: Partial<Variants>): void {
	for (const [name, value] of Object.entries(changes)) {
		if (!Object.hasOwn(noVariants, name)) throw new Error(`There is no variant "${name}"`);
		const isNumber = noVariants[name as keyof Variants] === null;
		const fits = isNumber
			? value === null || (Number.isInteger(value) && Number(value) >= 1)
			: typeof value === 'boolean';
		if (!fits) {
			throw new Error(`${name} must be ${isNumber ? 'a number from 1 or null' : 'a boolean'}`);
		}
	}
	const { oldPositions = state.variants.oldPositions } = changes;
	if (oldPositions !== state.variants.oldPositions) {
		for (const action of state.all('action')) action.position = LAST_POSITION - action.position;
		state.changed('action');
	}
	Object.assign(state.variants, changes);
}

const active = (variants: Variants) =>
	Object.entries(variants).flatMap(([name, value]) => (value ? [name] : []));

/** Runs before the validator: an answer is held against the document first, and changed then. */
export function vary(getState: () => State) {
	return (request: Request, response: Response, next: NextFunction): void => {
		const { variants } = getState();
		const names = active(variants);
		if (names.length > 0) {
			entryOf(response).assumed = names;
			const json = response.json.bind(response);
			response.json = (body: unknown) => json(varied(request, response, body, variants));
		}
		next();
	};
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
