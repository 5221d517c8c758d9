import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
	/** How many start in a second; fewer when the work takes longer than that. */
	perSecond: number;
	/** How many may be under way at the same time. */
	atOnce: number;
	/** Whether one more is to start; `started` did already. */
	goesOn: (started: number) => boolean;
}

/** Starts pieces of work at an even pace; resolves when all of them are over. */
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
