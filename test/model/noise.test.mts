import { describe, expect, it } from 'vitest';

import { amount, randomNumbers } from '../seed.mts';
import { useService } from '../unit/nodeContext.mts';

/*
 * How often share-fell-alert.json alerts if nothing has changed, and whether it sees a real fall: brands of six sizes, whose
 * pages are cited by chance, through the whole node. Always with the same numbers, because what is counted is chance.
 */

const PAGES = '/v1/ai-visibility/citations';
const DAY = 86_400_000;
const FIRST_DAY = Date.UTC(2025, 0, 1);

/** Before the weeks that are judged: the eight that tell what is usual, and one that may have been unusual already. */
const WEEKS_BEFORE = 9;
const JUDGED = 31;
const WEEKS = WEEKS_BEFORE + JUDGED;
/** From this week on, the share is a third lower. */
const FALL = 30;
const WEEKS_OF_A_YEAR = 52;

const service = useService(FIRST_DAY + WEEKS * 7 * DAY + DAY / 2);

const random = randomNumbers(20261128);

const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** The gamma distribution, as Marsaglia and Tsang draw it. */
function gamma(shape: number): number {
	if (shape < 1) return gamma(shape + 1) * random() ** (1 / shape);
	const d = shape - 1 / 3;
	const c = 1 / Math.sqrt(9 * d);
	for (;;) {
		const x = normal();
		const v = (1 + c * x) ** 3;
		if (v > 0 && Math.log(1 - random()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
	}
}

function beta(a: number, b: number): number {
	const x = gamma(a);
	return x / (x + gamma(b));
}

interface Week {
	own: number;
	others: number;
}

/** @param chances for each prompt, how likely an answer cites an own page: most never do, some often */
function weekOf(chances: number[], platforms: number, factor: number): Week {
	let own = 0;
	let others = 0;
	for (const chance of chances) {
		for (let answer = 0; answer < 7 * platforms; answer++) {
			others += 1 + Math.min(9, Math.floor(-4 * Math.log(1 - random())));
			if (random() >= chance * factor) continue;
			own++;
			// A second page of the same answer is instead of one of the others
			if (random() < 0.25) {
				own++;
				others--;
			}
		}
	}
	return { own, others };
}

const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);

const pageOf = (id: string, isOwnDomain: boolean, citations: number) => ({
	id,
	url: `https://${id}.example/`,
	title: id,
	domain: `${id}.example`,
	isOwnDomain,
	citations,
	platforms: ['chat_assistant'],
	firstSeenAt: '2024-01-01T00:00:00Z',
});

/** @returns what the node says of the parts of a period that ends with a week, in weeks */
async function summarize(weeks: Week[], last: number, days: number) {
	service.reset();
	service.respond = ({ path }) =>
		path === '/v1/workspace' ? { body: { id: 'w', name: 'W' } } : undefined;
	service.lists[PAGES] = ({ type, endDate }) => {
		const week = weeks[Math.floor((Date.parse(String(endDate)) - FIRST_DAY) / (7 * DAY))];
		if (type !== 'new' || !week) return [];
		return [pageOf('own', true, week.own), pageOf('others', false, week.others)];
	};
	const end = FIRST_DAY + (last + 1) * 7 * DAY - DAY;
	const startDate = dayAt(end - (days - 1) * DAY);
	const period = { period: 'custom', startDate, endDate: dayAt(end), splitBy: 'week' };
	const parameters = { resource: 'citedPage', operation: 'summarize', ...period };
	return (await service.run({ parameters })).json;
}

type Part = Awaited<ReturnType<typeof summarize>>[number];

/** The conditions of "Share fell?" in share-fell-alert.json. */
const isBelow = ({ isUnusual, ownShare, ownShareUsualLow }: Part) =>
	isUnusual === true && Number(ownShare) < Number(ownShareUsualLow);

/** @returns the judged weeks in which the alert is sent */
async function alertsOf(weeks: Week[]): Promise<number[]> {
	const parts = await summarize(weeks, WEEKS - 1, WEEKS * 7);
	return parts.flatMap((part, week) => {
		const before = parts[week - 1];
		const isSent = week >= WEEKS_BEFORE && before && isBelow(part) && !isBelow(before);
		return isSent ? [week] : [];
	});
}

/** A share of about 4 % or 16 %. */
const LEVELS: Record<string, () => number> = {
	'4 %': () => beta(0.35, 2),
	'16 %': () => beta(1.2, 0.75),
};

/** How many of the brands notice a fall by a third within three weeks, at least. */
const SIZES: Array<[share: string, prompts: number, platforms: number, leastSeen: number]> = [
	// Too few answers to see more of it
	['4 %', 10, 2, 0.2],
	['4 %', 25, 4, 0.7],
	['4 %', 100, 4, 0.7],
	['16 %', 10, 2, 0.7],
	['16 %', 25, 4, 0.7],
	['16 %', 100, 4, 0.7],
];

/** A few brands may have bad luck. */
const TOLERANCE = amount(2, 1);

const drawn = (draw: (week: number) => Week) => Array.from({ length: WEEKS }, (_, n) => draw(n));

describe('share-fell-alert.json, by chance', () => {
	it.each(SIZES)(
		'with a share of about %s, %i prompts and %i platforms, sends at most one false alert a year (two in a short run), and notices a fall by a third',
		async (share, prompts, platforms, leastSeen) => {
			const brands = amount(5, 120);
			let falseAlerts = 0;
			let seen = 0;
			for (let brand = 0; brand < brands; brand++) {
				const chances = Array.from({ length: prompts }, () => LEVELS[share]?.() ?? 0);
				const still = drawn(() => weekOf(chances, platforms, 1));
				falseAlerts += (await alertsOf(still)).length;
				const falling = drawn((week) => weekOf(chances, platforms, week < FALL ? 1 : 2 / 3));
				const alerts = await alertsOf(falling);
				seen += Number(alerts.some((week) => week >= FALL && week < FALL + 3));
			}
			const ofAYear = (falseAlerts / brands / JUDGED) * WEEKS_OF_A_YEAR;
			expect(ofAYear).toBeLessThanOrEqual(TOLERANCE);
			expect(seen / brands).toBeGreaterThanOrEqual(leastSeen / TOLERANCE);
		},
		amount(20_000, 900_000),
	);

	it('judges each week as the alert does, which reads 90 days and looks at the last of them', async () => {
		const chances = Array.from({ length: 10 }, () => beta(0.35, 2));
		const weeks = drawn((week) => weekOf(chances, 2, week < FALL ? 1 : 0.3));
		const parts = await summarize(weeks, WEEKS - 1, WEEKS * 7);
		let unusual = 0;
		for (let last = 13; last < WEEKS; last++) {
			const alone = (await summarize(weeks, last, 90)).slice(-2);
			expect(alone).toEqual(parts.slice(last - 1, last + 1));
			unusual += Number(alone[1]?.isUnusual);
		}
		expect(unusual).toBeGreaterThan(0);
	});
});
