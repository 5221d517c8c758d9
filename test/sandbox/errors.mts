/** A refusal with the service's code, which becomes the body `{ type, message }`. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly type: string,
		message: string,
	) {
		super(message);
	}
}
