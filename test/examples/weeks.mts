import type { Sandbox } from '../sandbox/sandbox.mts';

/*
 * Eight weeks of a brand whose share rises from 2 to 5 percent, as most brands have it: for the emails of the tests and for
 * the pictures of the documentation. All of it is made up.
 */

const DAY = 24 * 60 * 60 * 1000;
/** Noon in UTC, so many days ago */
export const ago = (days: number) => {
	const noon = Math.floor(Date.now() / DAY) * DAY + DAY / 2;
	return new Date(noon - days * DAY).toISOString();
};

export const OWN_DOMAIN = 'www.northwind-tea.example';
/** From the oldest week to the newest */
const WEEKS = [7, 6, 5, 4, 3, 2, 1, 0];

/** Site, title, and citations of each of the weeks. */
const PAGES: Array<[domain: string, title: string, citations: number[]]> = [
	['www.leafjournal.example', 'Ten teas worth a detour', [30, 28, 30, 29, 30, 28, 29, 30]],
	['www.brewguide.example', 'How hot should the water be?', [24, 26, 24, 25, 23, 24, 25, 24]],
	['forum.teatalk.example', 'What do you drink at work?', [18, 17, 18, 19, 18, 18, 17, 17]],
	['www.kettleclub.example', 'The quiet kettles of this year', [13, 14, 13, 12, 14, 12, 13, 12]],
	['www.harbour-leaf.example', 'First flush, explained', [8, 8, 7, 7, 6, 6, 6, 5]],
	['www.harbour-leaf.example', 'Our gardens', [3, 2, 2, 2, 2, 3, 2, 2]],
	['blog.old-mill-teas.example', 'Blending at home', [2, 2, 3, 2, 3, 3, 3, 4]],
	['www.silver-kettle.example', 'Teas for a cold', [1, 1, 1, 1, 1, 2, 1, 1]],
	[OWN_DOMAIN, 'How to store green tea', [2, 2, 2, 2, 2, 2, 3, 3]],
	[OWN_DOMAIN, 'Tea without a teapot', [0, 0, 0, 1, 1, 1, 1, 0]],
	[OWN_DOMAIN, 'First flush: what the harvest date tells', [0, 0, 0, 0, 0, 0, 0, 2]],
];

const COMPETITORS: Array<[name: string, domain: string]> = [
	['Harbour Leaf', 'harbour-leaf.example'],
	['Old Mill Teas', 'old-mill-teas.example'],
	['Silver Kettle', 'silver-kettle.example'],
];

/** Puts the weeks into a stand-in that is empty. They end yesterday. */
export function discoverWeeks({ discover, edit }: Pick<Sandbox, 'discover' | 'edit'>): void {
	for (const [name, domain] of COMPETITORS) discover.competitor({ name, domain, state: 'tracked' });
	for (const [domain, title, cited] of PAGES) {
		const url = `https://${domain}/${title.toLowerCase().replaceAll(/\W+/g, '-')}`;
		const citations = WEEKS.flatMap((week, n) =>
			Array.from({ length: cited[n] ?? 0 }, (_, i) => ({
				at: Date.parse(ago(week * 7 + 1 + (i % 7))),
				platform: i % 3 === 0 ? 'answer_engine' : 'chat_assistant',
			})),
		);
		const { id } = discover.citedPage({ url, title });
		edit('citedPage', id, { citations });
	}
}
