import type { INode, INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { SEARCH_LISTS } from '../../nodes/SearchVisibility/serviceLists.ts';
import { contract } from '../contract/document.mts';
import { description, n8nWorkflow, searchVisibilityNode } from '../engine/engine.mts';
import { at } from '../engine/helpers.mts';
import { recordOf } from '../engine/schemas.mts';
import { TABLE } from '../engine/table.mts';

const { displayParameterPath, getNodeParameters, getNodeParametersIssues } =
	n8nWorkflow.NodeHelpers;

const { properties } = description;

/** The values that n8n keeps when a user enters these: with defaults, without hidden ones. */
function withDefaults(entered: INodeParameters): INodeParameters {
	const node = searchVisibilityNode(entered);
	const values = getNodeParameters(properties, entered, true, false, node, description);
	return values as INodeParameters;
}

function shown(all: INodeProperties[], entered: INodeParameters, path = ''): INodeProperties[] {
	const parameters = withDefaults(entered);
	const node: INode = searchVisibilityNode(parameters);
	const at = ['parameters', path].filter(Boolean).join('.');
	return all.filter((one) => displayParameterPath({ parameters }, one, at, node, description));
}

const names = (some: INodeProperties[]) => some.map(({ name }) => name);

/** The visible top-level parameters, from top to bottom. */
const shownFields = (entered: INodeParameters) =>
	names(shown(properties, entered)).filter((name) => !['resource', 'operation'].includes(name));

const isShown = (name: string, entered: INodeParameters) =>
	shown(properties, entered).find((property) => property.name === name);

/** What a user can add inside a collection. */
function shownInside(collection: string, entered: INodeParameters): INodeProperties[] {
	const property = isShown(collection, entered);
	return shown((property?.options ?? []) as INodeProperties[], entered, collection);
}

/**
 * The fields in view, from top to bottom, with those in their collection of fields or filters, and what n8n asks for before
 * the node can run, other than IDs of the path.
 */
function lineFor(name: string, entered: INodeParameters): string {
	const fields = shownFields(entered).map((field) => {
		if (!['additionalFields', 'filters'].includes(field)) return field;
		return `${field} (${names(shownInside(field, entered)).join(', ')})`;
	});
	const node = searchVisibilityNode(withDefaults(entered));
	const issues = getNodeParametersIssues(properties, node, description)?.parameters ?? {};
	const missing = Object.keys(issues).join(', ');
	return `${name}: ${fields.join(', ')}${missing && `; required: ${missing}`}`;
}

/** A field that decides which others are shown, and its values. */
const DECIDING: Array<[operation: string, field: string]> = [
	['action.create', 'type'],
	['backlink.getAll', 'type'],
	['citedPage.summarize', 'period'],
];

it('each operation shows its own fields, with the defaults that a new node has (npm run generate)', async () => {
	const lines = [...TABLE.keys()].map((name) => lineFor(name, at(name)));
	// Contract 4.9: the target of each type of action, and the other fields that apply
	for (const [name, field] of DECIDING) {
		const options = isShown(field, at(name))?.options as INodePropertyOptions[];
		expect(options.length).toBeGreaterThan(3);
		for (const { value } of options) {
			lines.push(lineFor(`${name} ${String(value)}`, { ...at(name), [field]: value }));
		}
	}
	await expect(lines.join('\n')).toMatchFileSnapshot('shownFields.txt');
});

it.each([...TABLE.keys()].filter((name) => name.endsWith('.getAll')))(
	'%s hides the limit when all are returned',
	(name) => {
		expect(shownFields({ ...at(name), returnAll: false })).toContain('limit');
		expect(shownFields({ ...at(name), returnAll: true })).not.toContain('limit');
	},
);

it('records are selected from a list if the contract has one, by URL if they are pages, or by ID', () => {
	const locators = properties.filter(({ type }) => type === 'resourceLocator');
	expect(locators.length).toBeGreaterThan(15);
	for (const { name, modes = [], required, default: byDefault, displayOptions } of locators) {
		const lists = modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
		const [list] = lists as Array<keyof typeof SEARCH_LISTS>;
		const { resource, operation } = displayOptions?.show ?? {};
		const path = TABLE.get(`${String(resource)}.${String(operation)}`)?.path ?? '';
		const [all = '', isOfPath] = path.split('/{id}');
		if (isOfPath !== undefined)
			expect(Boolean(list), name).toBe('get' in (contract.paths[all] ?? {}));
		const isPage = list && 'url' in recordOf({ method: 'GET', path: SEARCH_LISTS[list].path });
		const expected = [list && 'list', isPage && 'url', 'id'].filter(Boolean);
		const first = { mode: expected[0], value: '' };
		const shownModes = modes.map((mode) => mode.name);
		expect([shownModes, required, byDefault], name).toEqual([expected, true, first]);
	}
});
