import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../sandbox/sandbox.mts';

/** What Summarize is asked for. */
export interface Wanted {
	startDate: string;
	endDate: string;
	splitBy: 'none' | 'day' | 'week' | 'month';
	comparePrevious: boolean;
	domain: string;
	platforms: string[];
	top: number;
}

/** The names of the parts, of which each day has one. */
const PART = {
	none: 'day IS NULL',
	day: 'day::text',
	week: '((SELECT max(day) FROM days) - day) / 7',
	month: `date_trunc('month', day)::text`,
};

const json = (fields: Record<string, string>) =>
	`jsonb_build_object(${Object.entries(fields).map(([name, sql]) => `'${name}', ${sql}`)})`;

const PAGE = json({
	id: 'id',
	url: 'url',
	title: 'title',
	domain: 'domain',
	isOwnDomain: 'own',
	citations: 'citations',
	platforms: 'platforms',
});

const listOf = (what: string, from: string, orderBy = '') =>
	`COALESCE((SELECT jsonb_agg(${what} ${orderBy}) FROM ${from}), '[]')`;

const percent = (part: string, whole: string) => `round(100.0 * ${part} / NULLIF(${whole}, 0), 1)`;

/**
 * @returns what Summarize should give, from each single citation that the service stores, whereas the node uses the counts
 * of the service
 */
export function summariesInSql(sandbox: Sandbox, wanted: Wanted): IDataObject[] {
	const { startDate, endDate, splitBy, comparePrevious, domain, platforms, top } = wanted;
	const topPages = (condition: string) =>
		listOf(
			PAGE,
			`(SELECT * FROM cited WHERE cited.start = part.start AND ${condition}
				ORDER BY citations DESC, domain COLLATE "C", url COLLATE "C" LIMIT ${top}) AS first`,
			'ORDER BY citations DESC, domain COLLATE "C", url COLLATE "C"',
		);
	const previous = (name: string) => (comparePrevious ? `was.${name}` : 'NULL');
	const change = (name: string) => `part.${name} - ${previous(name)}::numeric`;
	const item = json({
		startDate: 'part.start::text',
		endDate: 'part.finish::text',
		days: 'part.finish - part.start + 1',
		citations: 'part.citations',
		ownCitations: 'part.own_citations',
		ownShare: 'part.own_share',
		pages: 'part.pages',
		ownPages: 'part.own_pages',
		pagesGained: `(SELECT count(*) FROM cited WHERE start = part.start AND first >= part.start)`,
		pagesLost: comparePrevious
			? `(SELECT count(*) FROM cited WHERE start = was.start
				AND id NOT IN (SELECT id FROM cited WHERE start = part.start))`
			: 'NULL',
		citationsChange: change('citations'),
		ownCitationsChange: change('own_citations'),
		ownShareChange: change('own_share'),
		pagesChange: change('pages'),
		ownPagesChange: change('own_pages'),
		previousStartDate: `${previous('start')}::text`,
		previousEndDate: `${previous('finish')}::text`,
		previousCitations: previous('citations'),
		previousOwnCitations: previous('own_citations'),
		previousOwnShare: previous('own_share'),
		previousPages: previous('pages'),
		previousOwnPages: previous('own_pages'),
		platforms: listOf(
			json({
				platform: 'name',
				pages: `(SELECT count(*) FROM cited WHERE start = part.start AND platforms ? name)`,
				ownPages: `(SELECT count(*) FROM cited WHERE start = part.start AND platforms ? name AND own)`,
			}),
			`unnest(ARRAY['chat_assistant', 'answer_engine', 'search_ai_overview', 'search_ai_mode'])
				WITH ORDINALITY AS known(name, place)`,
			'ORDER BY place',
		),
		topDomains: listOf(
			json({
				domain: 'domain',
				isOwnDomain: 'own',
				pages: 'pages',
				citations: 'citations',
				share: percent('citations', 'part.citations'),
			}),
			`(SELECT domain, bool_or(own) AS own, count(*) AS pages, sum(citations) AS citations
				FROM cited WHERE start = part.start GROUP BY domain
				ORDER BY 4 DESC, domain COLLATE "C" LIMIT ${top}) AS first`,
			'ORDER BY citations DESC, domain COLLATE "C"',
		),
		topPages: topPages('true'),
		topOwnPages: topPages('own'),
	});
	const onWanted = platforms.length > 0 ? `platform = ANY('{${platforms.join()}}')` : 'true';
	const sql = `
		WITH days AS (
			SELECT day::date FROM generate_series('${startDate}'::date, '${endDate}', '1 day') AS day
		), wanted AS (
			SELECT min(day) AS start, max(day) AS finish FROM days GROUP BY ${PART[splitBy]}
		), parts AS (
			SELECT * FROM wanted UNION ALL
			(SELECT start - (finish - start + 1), start - 1 FROM wanted ORDER BY start LIMIT 1)
		), citation AS (
			SELECT id, one->>'platform' AS platform,
				(to_timestamp((one->>'at')::float8 / 1000) AT TIME ZONE 'UTC')::date AS day
			FROM "citedPage", jsonb_array_elements(citations) AS one WHERE workspace = $1
		), cited AS (
			SELECT parts.start, page.id, url, title, domain, "isOwnDomain" AS own,
				count(*) AS citations, jsonb_agg(DISTINCT platform) AS platforms,
				(SELECT min(day) FROM citation WHERE citation.id = page.id) AS first
			FROM parts JOIN citation ON day BETWEEN parts.start AND parts.finish
			JOIN "citedPage" AS page ON page.workspace = $1 AND page.id = citation.id
			WHERE strpos(domain, '${domain}') > 0
			GROUP BY 1, 2, 3, 4, 5, 6 HAVING bool_or(${onWanted})
		), totals AS (
			SELECT parts.*, count(id) AS pages, count(id) FILTER (WHERE own) AS own_pages,
				COALESCE(sum(citations), 0) AS citations,
				COALESCE(sum(citations) FILTER (WHERE own), 0) AS own_citations,
				${percent('sum(citations) FILTER (WHERE own)', 'sum(citations)')} AS share
			FROM parts LEFT JOIN cited USING (start) GROUP BY parts.start, parts.finish
		), part AS (
			SELECT *, CASE WHEN citations > 0 THEN COALESCE(share, 0) END AS own_share FROM totals
		)
		SELECT ${item} AS item FROM part JOIN part AS was ON was.finish = part.start - 1
		ORDER BY part.start`;
	return sandbox.state.query<{ item: IDataObject }>(sql).map((row) => row.item);
}
