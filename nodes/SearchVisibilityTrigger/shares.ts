import type { Requester, ServiceClient } from '../shared/client';

/**
 * Divides the requests that may be under way between the lists that are read at the same time, so that there is room for
 * the others if the requests for one of them hang. No list gets half of them while there are others: a refusal halves
 * what may be under way, and requests that hang still count. The last one gets everything.
 */
export class Shares {
	private waiting: Array<() => void> = [];

	/** @param readers how many lists are read at the same time */
	constructor(
		private readonly client: Pick<ServiceClient, 'request' | 'mostAtOnce'>,
		private readers: number,
	) {}

	/** Reads one of the lists with its share of the requests. */
	async share<Result>(read: (client: Requester) => Promise<Result>): Promise<Result> {
		let underWay = 0;
		const request: Requester['request'] = async (...sent) => {
			while (underWay >= this.most) await this.change();
			underWay++;
			try {
				return await this.client.request(...sent);
			} finally {
				underWay--;
				this.wake();
			}
		};
		try {
			return await read({ request });
		} finally {
			this.readers--;
			this.wake();
		}
	}

	private get most(): number {
		if (this.readers <= 1) return Infinity;
		const { mostAtOnce } = this.client;
		const lessThanHalf = Math.ceil(mostAtOnce / 2) - 1;
		return Math.max(1, Math.min(lessThanHalf, Math.floor(mostAtOnce / this.readers)));
	}

	private async change(): Promise<void> {
		await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	private wake(): void {
		for (const resolve of this.waiting.splice(0)) resolve();
	}
}
