import { readdirSync, readFileSync } from 'node:fs';

import type { Operation } from '../../nodes/SearchVisibility/operation.ts';
import type { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import { assumptionsOf, contract, operationsOf } from '../contract/document.mts';
import { defined, itemAt } from '../defined.mts';
import { OWN_OUTPUTS } from '../engine/schemas.mts';
import { RESOURCES } from '../engine/table.mts';
import { readResults, type Result } from '../n8n/results.mts';
import { LINES } from '../servers/releases.mts';
import { VARIANTS } from '../services/variants.mts';
import { errorTexts, failure } from '../unit/built.mts';

/** The parts of the documentation that follow from the code and the contract. */

const table = (heads: string[], rows: string[][]) =>
	[heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** With the route of the endpoint, even for operations that are computed from it. */
const OPERATIONS = RESOURCES.flatMap(({ name, value, operations }) =>
	operations.map((operation) => ({
		route: `${operation.method} ${operation.path}`,
		resource: name,
		key: `${value}.${operation.value}`,
		operation,
	})),
);

/** A row for each resource, with a note on what the node composes of several requests. */
function resources(): string {
	const rows = RESOURCES.map(({ name, description, operations }) => [
		`**${name}**`,
		operations.map((operation) => operation.name).join(', '),
		description,
	]);
	return table(['Resource', 'Operations', 'Description'], rows);
}

/** In the order of the contract. */
function operations(): string {
	const rows = operationsOf(contract).flatMap(([route]) => {
		const ofRoute = OPERATIONS.filter((one) => one.route === route);
		if (ofRoute.every(({ operation }) => operation.compose)) throw new Error(`None is ${route}`);
		return ofRoute.map(({ resource, key, operation }) => {
			const { name, description, compose } = operation;
			const endpoint = compose ? `None: calculated from \`${route}\`` : `\`${route}\``;
			return [
				resource,
				name,
				endpoint,
				description,
				outputOf(key, resource.toLowerCase(), operation),
			];
		});
	});
	return table(['Resource', 'Operation', 'Endpoint', 'Description', 'Output'], rows);
}

function outputOf(key: string, noun: string, operation: Operation): string {
	const { answer, confirms, simplify } = operation;
	const confirmed = Object.entries(confirms ?? {}).map(([name, value]) => `${name}: ${value}`);
	const confirmation = confirms && `\`{ ${['id', ...confirmed].join(', ')} }\``;
	if (key in OWN_OUTPUTS) return `\`{ ${Object.keys(defined(OWN_OUTPUTS[key])).join(', ')} }\``;
	if (answer === 'nothing') return confirmation ?? '';
	if (answer === 'unknown') {
		return `The response${confirmation ? `, or ${confirmation} if it has no body` : ''}`;
	}
	const records = answer === 'record' ? `The ${noun}` : `One item per ${noun}`;
	return records + (simplify ? ` (at most ${simplify.length} fields with **Simplify**)` : '');
}

/** Each assumption once, with the number of places that depend on it. */
function assumptions(): string {
	const texts = [...new Set(assumptionsOf(contract).map(({ text }) => text))];
	const rows = texts.map((text) => {
		const [, sections = '', open = '', assumed = ''] =
			/^([\d., ]+): ([^;]+); (.+)$/.exec(text) ?? [];
		return [sections, itemAt(open, 0).toUpperCase() + open.slice(1), assumed];
	});
	const parts = (section: string) => section.split(/[., ]+/).map(Number);
	const order = ([a = '']: string[], [b = '']: string[]) => {
		const [left, right] = [parts(a), parts(b)];
		return itemAt(left, 0) - itemAt(right, 0) || (left[1] ?? 0) - (right[1] ?? 0);
	};
	return table(['Section', 'Not documented', 'Assumption'], rows.sort(order));
}

type Failure = ConstructorParameters<typeof RequestFailure>;

/** The names of the kinds of failure that have no status. The compiler checks that none is missing. */
const KINDS: Record<Exclude<RequestFailure['kind'], 'status'>, string> = {
	network: 'No response',
	tls: 'No secure connection',
	blocked: 'Blocked by n8n',
	unknown: 'Request not sent',
	answer: 'Unreadable response',
	shape: 'Unexpected format',
	list: 'Incomplete list',
	ties: 'Incomplete list of equal records',
	ambiguous: 'Several existing records',
	deadline: 'Trial of a trigger, or search in the editor, not finished in time',
	cancelled: 'Execution cancelled',
	baseUrl: 'Invalid Base URL',
	apiKey: 'No API key',
};

const STATUSES: Array<[string, number]> = [
	['3xx', 301],
	['400', 400],
	['401', 401],
	['403', 403],
	['404', 404],
	['404 (no record in the path)', 404],
	['407', 407],
	['429', 429],
	['Other 4xx', 418],
	['5xx', 500],
];

const CERTIFICATES = {
	'Certificate not trusted': 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'Certificate out of date': 'CERT_HAS_EXPIRED',
	'Certificate of another host': 'ERR_TLS_CERT_ALTNAME_INVALID',
};

/** The node's own words. */
function errors(): string {
	const codes = [
		...new Set([...JSON.stringify(contract).matchAll(/"x-codes":(\{.*?\})/g)].flatMap(keysIn)),
	];
	const failures: Array<[string, ...Failure]> = [
		...codes.map((code): [string, ...Failure] => [
			`\`${code}\``,
			'status',
			{ statusCode: 400, code },
		]),
		...STATUSES.map(([name, statusCode]): [string, ...Failure] => [name, 'status', { statusCode }]),
		...Object.entries(KINDS).map(([kind, name]): [string, ...Failure] => [
			name,
			kind as keyof typeof KINDS,
			{},
		]),
		['Timeout', 'network', { code: 'ETIMEDOUT' }],
		...Object.entries(CERTIFICATES).map(([name, code]): [string, ...Failure] => [
			name,
			'tls',
			{ code },
		]),
	];
	const rows = failures.map(([name, ...of]) => {
		const noun = name === '404' ? '…' : undefined;
		const { message, description } = errorTexts.explain(new failure.RequestFailure(...of), {
			noun,
		});
		return [name, message, description.replace(/ (The service responded|Reason): .*$/, '')];
	});
	return table(['Code or status', 'Message', 'What to do'], rows);
}

const keysIn = ([, codes = '']: RegExpMatchArray) => Object.keys(JSON.parse(codes) as object);

/** The last results from the servers of several versions; each was kept after all its tests had passed. */
function servers(): string {
	const results = readResults('servers');
	const rows = LINES.map(({ version, credentialWords, lacks }) => {
		const { node, passed, day } = ranLast(results, version);
		const whole = EXAMPLES.filter((nodes) => !nodes.some((one) => lacks.includes(one)));
		const examples = `${whole.length} of ${EXAMPLES.length}`;
		const words = credentialWords === 'of n8n' ? "n8n's" : "the package's";
		return [version, node, passed, words, examples, day];
	});
	const heads = [
		'n8n',
		'Node',
		'Passed',
		'Message of a credential test that fails',
		'Examples that have all their nodes',
		'Run on',
	];
	return table(heads, rows);
}

function ranLast(results: Result[], name: string): Record<keyof Result, string> {
	const result = results.find((one) => one.name === name);
	const { n8n = '', node = '', passed = 'Not run', seconds = '', day = '' } = result ?? {};
	return { name, n8n, node, passed: String(passed), seconds: String(seconds), day };
}

/** The nodes of each example, such as "set 3.5". */
const EXAMPLES = readdirSync(new URL('../../examples/', import.meta.url))
	.filter((file) => file.endsWith('.json'))
	.map((file) => {
		const text = readFileSync(new URL(`../../examples/${file}`, import.meta.url), 'utf8');
		const { nodes } = JSON.parse(text) as { nodes: Array<{ type: string; typeVersion: number }> };
		return nodes.map(({ type, typeVersion }) => `${type.split('.').at(-1)} ${typeVersion}`);
	});

/** The same for the ways to run n8n. */
function services(): string {
	const results = readResults('services');
	const rows = VARIANTS.map(({ name }) => {
		const { n8n, node, passed, day } = ranLast(results, name);
		return [name, n8n, node, passed, day];
	});
	return table(['Variant', 'n8n', 'Node', 'Passed', 'Run on'], rows);
}

/** Every generated part, by the name in the marks around it. */
export const BLOCKS: Array<{ file: string; name: string; text: () => string }> = [
	{ file: 'README.md', name: 'resources', text: resources },
	{ file: 'docs/operations.md', name: 'operations', text: operations },
	{ file: 'docs/errors.md', name: 'errors', text: errors },
	{ file: 'docs/assumptions.md', name: 'assumptions', text: assumptions },
	{ file: 'docs/compatibility.md', name: 'servers', text: servers },
	{ file: 'docs/compatibility.md', name: 'services', text: services },
];

/** @returns a page with its generated parts updated */
export function renewed(file: string, page: string): string {
	return BLOCKS.filter((block) => block.file === file).reduce((text, { name, text: make }) => {
		const [begin, end] = [`<!-- ${name}: made by "npm run docs" -->\n`, `<!-- /${name} -->`];
		const [from, to] = [text.indexOf(begin), text.indexOf(end)];
		if (from < 0 || to < from) throw new Error(`${file} lacks the marks of "${name}"`);
		return `${text.slice(0, from)}${begin}\n${make()}\n\n${text.slice(to)}`;
	}, page);
}
