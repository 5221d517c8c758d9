import type { NextFunction, Request, Response } from 'express';
import { isListPath } from './lists.mts';

/** Other behavior that keeps the contract, or nearly: the sandbox does one thing by default and another with a variant. */
export interface Variants {
	/** Lists announce at least this many records. */
	highTotal: number;
}

/** Runs before the validator, so that answers are first checked against the document and then changed. */
export function vary(variantsOf: (response: Response) => Variants) {
	return (request: Request, response: Response, next: NextFunction): void => {
		const { highTotal } = variantsOf(response);
		const json = response.json.bind(response);
		response.json = (body: { data?: { total: number } }) => {
			const isList = request.method === 'GET' && isListPath(request.path);
			if (isList && body.data) body.data.total = Math.max(body.data.total, highTotal);
			return json(body);
		};
		next();
	};
}
