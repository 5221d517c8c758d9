import type { IDataObject } from 'n8n-workflow';

import { platformsOf } from '../../nodes/shared/parameters/citedPages.ts';
import { totalIn, type Asking, type List } from './asking.mts';
import { dayOf } from './days.mts';
import { counted } from './facts.mts';
import type { Json } from './service.mts';
import { recordsIn } from './shapes.mts';

const PAGE = 100;
const MOST_PAGES = 2;

const SUMMARIZE = 'Cited Page > Summarize';

/** What is right of a page in a period of one day, if the page was cited on several days. */
interface Rule {
	about: string;
	isRight: (page: Json, onDay: Json) => boolean;
	shown: (page: Json, onDay: Json) => string;
	minds: string;
	spoils?: string;
}

const RULES: Rule[] = [
	{
		about: 'citations are counted within the period',
		isRight: (page, onDay) => countOf(onDay) > 0 && countOf(onDay) < countOf(page),
		shown: (page, onDay) => `${countOf(page)} in all, ${countOf(onDay)} on one day`,
		minds: `Yes: ${SUMMARIZE} counts other days too, so that its counts, shares, and changes are wrong`,
		spoils: SUMMARIZE,
	},
	{
		about: 'platforms are of the period',
		// An answer is of one platform
		isRight: (_, onDay) => platformsIn(onDay) <= countOf(onDay),
		shown: (_, onDay) =>
			`${counted(platformsIn(onDay), 'platform')}, ${counted(countOf(onDay), 'citation')} on one day`,
		minds: `Yes: filters by platform in ${SUMMARIZE} and Get Many count pages of other days`,
	},
	{
		about: 'first and last seen are not clipped to the period',
		isRight: (page, onDay) => timesOf(page) === timesOf(onDay),
		shown: (page, onDay) => `${timesOf(page)} in all, ${timesOf(onDay)} on one day`,
		minds: 'Yes: the trigger takes pages for new that are not',
	},
];

const countOf = ({ citations }: Json) => Number(citations);
const platformsIn = (page: Json) => platformsOf(page as IDataObject)?.length ?? 0;
const timesOf = ({ firstSeenAt, lastSeenAt }: Json) =>
	`${dayOf(firstSeenAt)} to ${dayOf(lastSeenAt)}`;

/** A page that was cited on several days is looked for on its first day, and on its last one. */
export async function countByPeriod(asking: Asking, lists: List[]): Promise<void> {
	const [{ route = '' } = {}] = lists;
	const pages = lists.flatMap(({ query, records }) =>
		records
			.filter(
				({ firstSeenAt: first, lastSeenAt: last }) => dayOf(first) && dayOf(first) < dayOf(last),
			)
			.map((page) => ({ page, query })),
	);
	const onDays: Array<{ page: Json; onDay: Json | undefined }> = [];
	const [{ about: first = '', minds = '', spoils = '' } = {}] = RULES;
	for (const { page, query } of pages.slice(0, MOST_PAGES)) {
		for (const day of [page.firstSeenAt, page.lastSeenAt].map(dayOf)) {
			const period = { ...query, startDate: day, endDate: day, domain: page.domain, limit: PAGE };
			const about = `${route}, ${first}`;
			const { isDone, body } = await asking.ask(about, route, { query: period }, minds);
			if (!isDone) return;
			const onDay = recordsIn(body).find(({ id }) => id === page.id);
			// It may stand on a later page
			if (onDay || totalIn(body) <= PAGE) onDays.push({ page, onDay });
		}
	}
	for (const rule of RULES) tell(asking, route, rule, onDays);
	const isMissing = onDays.some(({ onDay }) => !onDay);
	const missing = 'a page is not listed on its first day, or on its last one';
	if (isMissing) asking.facts.say(`${route}, ${first}`, false, missing, minds, spoils);
}

function tell(
	{ facts }: Asking,
	route: string,
	{ about, isRight, shown, minds, spoils }: Rule,
	onDays: Array<{ page: Json; onDay: Json | undefined }>,
): void {
	const seen = onDays.flatMap(({ page, onDay }) => (onDay ? [{ page, onDay }] : []));
	const wrong = seen.find(({ page, onDay }) => !isRight(page, onDay));
	const example = wrong ?? seen[0];
	const none = 'no page that was cited on several days';
	const evidence = example ? shown(example.page, example.onDay) : none;
	facts.say(`${route}, ${about}`, example ? !wrong : undefined, evidence, minds, spoils);
}
