import { EVENTS } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { triggerProperties } from '../../nodes/SearchVisibilityTrigger/parameters.ts';
import type { Operation } from '../../nodes/SearchVisibility/operation.ts';
import { contract, operationsOf } from '../contract/document.mts';
import { certainOf, isAddedTo, OWN_OUTPUTS, simpleFieldsOf } from '../engine/schemas.mts';
import { RESOURCES } from '../engine/table.mts';
import { anchorsOf, read } from './markdown.mts';

/** The parts of the documentation that follow from the code and the contract. */

const table = (heads: string[], rows: string[][]) =>
	[heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** With the route of the endpoint, even for operations that are computed from it. */
const OPERATIONS = RESOURCES.flatMap(({ name: resource, value, operations }) =>
	operations.map((operation) => {
		const route = `${operation.method} ${operation.path}`;
		return { route, resource, key: `${value}.${operation.value}`, operation };
	}),
);

const resources = (): string =>
	RESOURCES.map(({ name, operations: all }) => {
		return `- **${name}**: ${all.map((operation) => operation.name).join(', ')}`;
	}).join('\n');

/** In the order of the contract. */
function operations(): string {
	const rows = operationsOf(contract).flatMap(([route]) => {
		const ofRoute = OPERATIONS.filter((one) => one.route === route);
		return ofRoute.map(({ resource, key, operation }) => {
			const { name, description, execute: compose } = operation;
			const endpoint = compose ? `None: calculated from \`${route}\`` : `\`${route}\``;
			const output = outputOf(key, resource.toLowerCase(), operation);
			return [resource, name, endpoint, description, output];
		});
	});
	return table(['Resource', 'Operation', 'Endpoint', 'Description', 'Output'], rows);
}

/** In the order in which the editor offers them. */
function events(): string {
	const option = triggerProperties.find(({ name }) => name === 'events');
	const named = Object.entries(EVENTS).sort(([, a], [, b]) => a.name.localeCompare(b.name));
	const rows = named.map(([value, event]) => {
		const { name, description, timeField, isSortable, hasStartDate } = event;
		const isDefault = (option?.default as string[]).includes(value);
		const reads =
			isSortable || hasStartDate ? 'The records within the look-back' : 'The whole list';
		const shown = `${name}${isDefault ? ' (default)' : ''}`;
		return [shown, `\`${value}\``, description, timeField ? `\`${timeField}\`` : 'None', reads];
	});
	return table(['Trigger On', 'Value', 'Finds', 'Date', 'A poll reads'], rows);
}

function outputOf(key: string, noun: string, operation: Operation): string {
	const { returns } = operation;
	const own = Object.keys(OWN_OUTPUTS[key] ?? {});
	// Its fields have a page of their own
	if (own.length > 10) return '[One flat item](summarize.md#output)';
	if (own.length > 0) return `\`{ ${own.join(', ')} }\``;
	if (returns !== 'nothing' && returns !== 'unknown') {
		const records = returns === 'record' ? `The ${noun}` : `One item per ${noun}`;
		const fields = simpleFieldsOf(operation);
		return records + (fields ? ` (at most ${fields.length} fields with **Simplify**)` : '');
	}
	const certain = Object.entries(certainOf(operation)).map(([name, value]) =>
		typeof value === 'boolean' ? `${name}: ${value}` : name,
	);
	const item = certain.length > 0 ? `\`{ ${certain.join(', ')} }\`` : '';
	if (returns === 'nothing') return item;
	if (isAddedTo(operation)) return `${item}, then the response`;
	return `The response${item && `, or ${item} if it has no body`}`;
}

interface System {
	system: string;
	setUp: string;
	page: string;
	notes?: string;
}
const SYSTEMS = JSON.parse(read('examples/cms.json')) as System[];

/** The systems that the examples for a CMS know. */
const systems = (): string =>
	SYSTEMS.map(({ system }) => `[${system}](cms.md#${anchorsOf(`# ${system}`).join()})`).join(',\n');

/** What to set up in each of them, and the expression to copy. */
const expressions = (): string =>
	SYSTEMS.map(({ system, setUp, notes, page }) => {
		const text = `${setUp}.${notes ? ` ${notes}.` : ''}`;
		return [`## ${system}`, text, `\`\`\`\n${page}\n\`\`\``].join('\n\n');
	}).join('\n\n');

/** Every generated part, by the name in the marks around it. */
export const BLOCKS: Array<{ file: string; name: string; text: () => string }> = [
	{ file: 'README.md', name: 'resources', text: resources },
	{ file: 'docs/trigger.md', name: 'events', text: events },
	{ file: 'examples/README.md', name: 'systems', text: systems },
	{ file: 'examples/cms.md', name: 'expressions', text: expressions },
	{ file: 'docs/operations.md', name: 'operations', text: operations },
];

/** @returns a page with its generated parts updated */
export function renewed(file: string, page: string): string {
	return BLOCKS.filter((block) => block.file === file).reduce((text, { name, text: make }) => {
		const begin = `<!-- ${name}: made by "npm run generate" -->\n`;
		const end = `<!-- /${name} -->`;
		const from = text.indexOf(begin);
		const to = text.indexOf(end);
		if (from < 0 || to < from) throw new Error(`${file} lacks the marks of "${name}"`);
		return `${text.slice(0, from)}${begin}\n${make()}\n\n${text.slice(to)}`;
	}, page);
}
