import type { Facts } from './facts.mts';
import { isJson, type Exchange, type Json, type Request, type Service } from './service.mts';
import { OPERATIONS, type Shapes } from './shapes.mts';

/** With these statuses, a service refuses what was asked, and not who asks. */
const REFUSALS = [400, 404, 405, 422];

/** One of the lists of an endpoint, such as the keywords with type=new. */
export interface List {
	route: string;
	query: Json;
	records: Json[];
	total: number;
	/** How many records a page has at most */
	pageSize: number;
}

export const totalIn = (body: unknown) =>
	Number((isJson(body) && isJson(body.data) && body.data.total) || 0);

/** Asks the service, and keeps what is learned. */
export class Asking {
	constructor(
		readonly service: Service,
		readonly facts: Facts,
		readonly shapes: Shapes,
	) {}

	/**
	 * A success says nothing about the question yet, because only the answer shows whether it is right.
	 * @param minds what a refusal means for users of the node
	 */
	async ask(about: string, route: string, request: Request, minds: string): Promise<Exchange> {
		const exchange = await this.service.ask(route, request);
		const { status, isDone, said } = exchange;
		if (isDone) this.shapes.see(route, exchange);
		else {
			const documented = JSON.stringify(OPERATIONS.get(route)?.responses);
			const codes = said.match(/[a-z]+(-[a-z]+)+/g) ?? [];
			const isNamed = codes.some((code) => documented.includes(`"${code}"`));
			// Only these are about what was asked, unless the document names the reason
			const isRefused = REFUSALS.includes(status) && !isNamed;
			this.facts.say(about, isRefused ? false : undefined, said, minds);
		}
		return exchange;
	}
}
