import type { Requester, ServiceClient } from '../shared/client';
import { FIRST } from '../shared/slots';

/**
 * Divides the requests that may be under way between the lists that are read at the same time, so that there is room for
 * the others if the requests for one of them hang. If the service refuses some, fewer may be under way, and those that
 * hang still count; so no list gets more than the node starts with while there are others. The last one gets everything.
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
		return Math.max(1, Math.min(FIRST, Math.floor(this.client.mostAtOnce / this.readers)));
	}

	private async change(): Promise<void> {
		await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	private wake(): void {
		for (const resolve of this.waiting.splice(0)) resolve();
	}
}
