import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
	/** How many start per second; fewer if the work takes longer. */
	perSecond: number;
	/** How many may be under way at the same time. */
	atOnce: number;
	/** Whether to start one more; `started` have started so far. */
	goesOn: (started: number) => boolean;
}

/** Starts work at a steady pace; resolves when all of it is done. */
export async function paced(
	{ perSecond, atOnce, goesOn }: Pace,
	work: () => Promise<unknown>,
): Promise<void> {
	const underWay = new Set<Promise<unknown>>();
	for (let started = 0; goesOn(started); started++) {
		const next = sleep(1000 / perSecond);
		const piece: Promise<unknown> = work().finally(() => underWay.delete(piece));
		underWay.add(piece);
		await next;
		while (underWay.size >= atOnce) await Promise.race(underWay);
	}
	await Promise.all(underWay);
}
