/** A refusal with the service's code, which becomes the body `{ type, message }`. */
export class Refusal extends Error {
	readonly status: number;
	readonly type: string;

	constructor(status: number, type: string, message: string) {
		super(message);
		this.status = status;
		this.type = type;
	}
}
