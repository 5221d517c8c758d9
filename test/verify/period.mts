import { totalIn, type Asking, type List } from './asking.mts';
import type { Json } from './service.mts';
import { recordsIn } from './shapes.mts';

const PAGE = 100;
const MOST_PAGES = 2;

const SUMMARIZE = 'Cited Page > Summarize';
const MINDS = `Yes: ${SUMMARIZE} counts other days too, so that its counts, shares, and changes are wrong`;

const dayIn = (time: unknown) => String(time ?? '').slice(0, 10);

/** A page that was cited on several days has fewer citations on its first day, and on its last one. */
export async function countByPeriod(asking: Asking, lists: List[]): Promise<void> {
	const [{ route = '' } = {}] = lists;
	const about = `${route}, citations count the period`;
	const pages = lists.flatMap(({ query, records }) =>
		records
			.filter((one) => one.firstSeenAt && dayIn(one.firstSeenAt) < dayIn(one.lastSeenAt))
			.map((page) => ({ page, query })),
	);
	const evidence: string[] = [];
	for (const { page, query } of pages.slice(0, MOST_PAGES)) {
		for (const day of [page.firstSeenAt, page.lastSeenAt].map(dayIn)) {
			const period = { ...query, startDate: day, endDate: day, domain: page.domain, limit: PAGE };
			const { isDone, body } = await asking.ask(about, route, { query: period }, MINDS);
			if (!isDone) return;
			const found = recordsIn(body).find(({ id }) => id === page.id);
			// It may stand on a later page
			if (!found && totalIn(body) > PAGE) continue;
			evidence.push(`${countOf(page)} in all, ${found ? countOf(found) : 'not listed'} on one day`);
			if (found && countOf(found) > 0 && countOf(found) < countOf(page)) continue;
			return asking.facts.say(about, false, evidence.at(-1) ?? '', MINDS, SUMMARIZE);
		}
	}
	const isSeen = evidence.length > 0;
	const none = 'no page that was cited on several days';
	asking.facts.say(about, isSeen ? true : undefined, isSeen ? evidence.join('; ') : none);
}

const countOf = ({ citations }: Json) => Number(citations);
