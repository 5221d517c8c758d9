/**
 * Other bodies and parameters that a service may take where the contract does not show them, each as the expression that
 * corrects a line of nodes/shared/assumed.ts.
 */

/** @returns what an expression gives for these variables */
export const valueOf = (expression: string, variables: object): unknown =>
	new Function(...Object.keys(variables), `return (${expression})`)(...Object.values(variables));

/** Words in refusals that are not the name of a field. */
const NO_NAMES = [
	'message',
	'error',
	'code',
	'detail',
	'statusCode',
	'body',
	'request',
	'and',
	'it',
];

/** @returns the names that a refusal mentions, and then the usual ones */
function names(refusal: string, usual: string): string[] {
	const quoted = /[`'"]([A-Za-z_]\w{1,30})\\?[`'"](?!:)/g;
	const named = /\b([A-Za-z_]\w{1,30}) (?:is|must|should|was|has|cannot)\b/g;
	const said = [...refusal.matchAll(quoted), ...refusal.matchAll(named)].map(([, one = '']) => one);
	const hints = said.filter((one) => !NO_NAMES.includes(one)).slice(0, 6);
	return [...new Set([...hints, ...usual.split(' ')])];
}

const field = (name: string, value: string) =>
	name === value ? `{ ${name} }` : `{ ${name}: ${value} }`;

export function keywordBodies(refusal: string): string[] {
	const all = names(refusal, 'keywords terms keyword items names texts phrases queries data');
	const inner = names(refusal, 'keyword text name term').slice(0, 8);
	return [
		...all.map((name) => field(name, 'keywords')),
		...['keywords', 'items', 'terms'].flatMap((outer) =>
			inner.map((name) => field(outer, `keywords.map((keyword) => (${field(name, 'keyword')}))`)),
		),
		'keywords',
		...['keywords', 'keyword'].map((name) => field(name, "keywords.join(',')")),
	];
}

export function competitorBodies(refusal: string): string[] {
	const all = names(refusal, 'domain website url competitorDomain hostname host site domainName');
	return [
		...all.map((name) => field(name, 'domain')),
		...all.slice(0, 5).map((name) => `{ name: domain, ${field(name, 'domain').slice(2)}`),
		...all.slice(0, 5).map((name) => field(name, '`https://${domain}`')),
		'{ domains: [domain] }',
		'{ competitor: { domain } }',
	];
}

export function backlinkBodies(refusal: string): string[] {
	const all = names(refusal, 'status state processed isProcessed type markAs mark action value');
	const flags = [...new Set([...all.slice(0, 3), 'processed', 'isProcessed'])];
	return [
		...all.map((name) => field(name, 'status')),
		...flags.map((name) => field(name, "status === 'processed'")),
		...['status', 'state', 'type'].map((name) => field(name, 'status.toUpperCase()')),
		"{ status: status === 'new' ? 'unprocessed' : status }",
		"{ processedAt: status === 'new' ? null : new Date().toISOString() }",
	];
}

export const inspectBodies = (refusal: string): string[] => [
	...names(refusal, 'url inspectionUrl pageUrl page address').map((name) => field(name, 'url')),
	'{ urls: [url] }',
	'{ inspectionUrl: url, siteUrl: new URL(url).origin }',
];

/** Names of the key and of the order; then both in one parameter. */
export const ORDERS = [
	...(
		'sort order, sortBy order, orderBy order, orderBy orderDirection, orderBy direction, orderBy sortOrder, ' +
		'sort_by sort_order, sort_by order, order_by order, sort direction, sort sortOrder, sort dir, ' +
		'sortBy sortDirection, sortBy direction, sortField sortDirection, sortField sortOrder, sortKey sortOrder'
	)
		.split(', ')
		.map((pair) => {
			const [by = '', order = ''] = pair.split(' ');
			return `{ ${field(by, 'sortBy').slice(2, -2)}, ${field(order, 'sortOrder').slice(2)}`;
		}),
	"{ sort: sortOrder === 'asc' ? sortBy : `-${sortBy}` }",
	'{ sort: `${sortBy}:${sortOrder}` }',
	'{ sort: `${sortBy},${sortOrder}` }',
	'{ sort: `${sortBy} ${sortOrder}` }',
	'{ sort: `${sortBy}_${sortOrder}` }',
];
