/**
 * Other bodies and parameters that a service may take where the contract does not show them, each as the expression that
 * corrects a line of nodes/shared/assumed.ts.
 */

/** @returns what an expression gives for these variables */
export const valueOf = (expression: string, variables: object): unknown =>
	new Function(...Object.keys(variables), `return (${expression})`)(...Object.values(variables));

/** Words in refusals that are not the name of a field. */
const NO_NAMES = 'message error code detail statusCode body request and it type'.split(' ');

/** @returns the names that a refusal mentions */
export function namesIn(refusal: string): string[] {
	const quoted = /[`'"]([A-Za-z_]\w{1,30})\\?[`'"](?!:)/g;
	const named = /\b([A-Za-z_]\w{1,30}) (?:is|must|should|was|has|cannot)\b/g;
	const said = [...refusal.matchAll(quoted), ...refusal.matchAll(named)].map(([, one = '']) => one);
	return [...new Set(said)].filter((one) => !NO_NAMES.includes(one)).slice(0, 6);
}

/** By operation: the function of assumed.ts, the variable of its body, usual names for it, and what else may stand for it. */
export const BODIES = {
	'keyword.create': {
		line: 'keywordsBody',
		variable: 'keywords',
		usual: 'keywords terms keyword items names texts phrases queries data',
		forms: ['keyword', 'text', 'name', 'term'].map(
			(one) => `keywords.map((${one}) => ({ ${one} }))`,
		),
	},
	'competitor.create': {
		line: 'competitorBody',
		variable: 'domain',
		usual: 'domain website url competitorDomain hostname host site domainName',
		forms: ['`https://${domain}`', '[domain]'],
	},
	'backlink.update': {
		line: 'backlinkBody',
		variable: 'status',
		usual: 'status state processed isProcessed type markAs mark action value',
		forms: ["status === 'processed'", 'status.toUpperCase()'],
	},
	'indexing.inspect': {
		line: 'inspectBody',
		variable: 'url',
		usual: 'url inspectionUrl pageUrl page address',
		forms: ['[url]', 'url, siteUrl: new URL(url).origin'],
	},
};

export type BodyName = keyof typeof BODIES;

/** @returns the bodies to try after a refusal, best first */
export function otherBodies(body: BodyName, refusal: string): string[] {
	const { variable, usual, forms } = BODIES[body];
	const names = [...new Set([...namesIn(refusal), ...usual.split(' ')])];
	return [variable, ...forms].flatMap((value, at) =>
		names
			.slice(0, at === 0 ? 14 : 6)
			.map((name) => `{ ${name === value ? name : `${name}: ${value}`} }`),
	);
}

/** Names of the sort key and of the order; then both in one parameter. */
export const ORDERS = [
	...['sort', 'sortBy', 'orderBy', 'sort_by', 'order_by', 'sortField'].flatMap((by) =>
		['order', 'sortOrder', 'direction', 'sortDirection', 'sort_order'].map(
			(order) => `{ ${by}: sortBy, ${order}: sortOrder }`,
		),
	),
	"{ sort: sortOrder === 'asc' ? sortBy : `-${sortBy}` }",
	...[':', ',', ' ', '_'].map((between) => `{ sort: \`\${sortBy}${between}\${sortOrder}\` }`),
];
