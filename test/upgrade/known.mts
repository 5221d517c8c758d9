import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

import { n8nWorkflow } from '../engine/engine.mts';

/** What n8n itself adds to polling triggers and tools. */
const OF_N8N = ['pollTimes', 'descriptionType', 'toolDescription'];

/** @returns what a saved node contains that the description does not know or would not show; empty if all is well */
export function unknownIn(node: INode, description: INodeTypeDescription): string[] {
	const unknown = Object.keys(node.credentials ?? {}).filter(
		(type) => !description.credentials?.some(({ name }) => name === type),
	);
	if (node.typeVersion !== description.version) unknown.push(`version ${node.typeVersion}`);
	const own = Object.fromEntries(
		Object.entries(node.parameters).filter(([name]) => !OF_N8N.includes(name)),
	) as INodeParameters;
	const all = withDefaults(own, description);
	return [...unknown, ...unknownParameters(own, description.properties, description, all)];
}

/** Defaults are not saved, but they decide what is shown. */
function withDefaults(own: INodeParameters, description: INodeTypeDescription): INodeParameters {
	const all = { ...own };
	for (const property of description.properties) {
		const { name } = property;
		if (!(name in all) && shows(property, all, description)) all[name] = property.default as never;
	}
	return all;
}

const shows = (
	property: INodeProperties,
	inside: INodeParameters,
	description: INodeTypeDescription,
	root = inside,
) =>
	n8nWorkflow.NodeHelpers.displayParameter(inside, property, { typeVersion: 1 }, description, root);

function unknownParameters(
	given: INodeParameters,
	properties: INodeProperties[],
	description: INodeTypeDescription,
	root: INodeParameters,
	isTop = true,
): string[] {
	return Object.entries(given).flatMap(([name, value]) => {
		const property = properties.find(
			(one) => one.name === name && shows(one, isTop ? root : given, description, root),
		);
		if (!property) return [name];
		return unknownValue(property, value, description, root).map((inner) => `${name}: ${inner}`);
	});
}

/** Expressions are evaluated when the workflow runs. */
const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');

function unknownValue(
	property: INodeProperties,
	value: unknown,
	description: INodeTypeDescription,
	root: INodeParameters,
): string[] {
	if (isExpression(value)) return [];
	const options = (property.options ?? []) as INodePropertyOptions[];
	const isOption = (one: unknown) => options.some((option) => option.value === one);
	switch (property.type) {
		case 'options':
			return isOption(value) ? [] : [String(value)];
		case 'multiOptions':
			// From a list of the service
			if (property.typeOptions?.loadOptionsMethod) return [];
			return (value as unknown[]).filter((one) => !isOption(one)).map(String);
		case 'resourceLocator': {
			const { mode } = value as { mode: string };
			return property.modes?.some(({ name }) => name === mode) ? [] : [`mode ${mode}`];
		}
		case 'collection': {
			const inside = property.options as INodeProperties[];
			return unknownParameters(value as INodeParameters, inside, description, root, false);
		}
		case 'fixedCollection': {
			const groups = options as unknown as Array<{ name: string; values: INodeProperties[] }>;
			return Object.entries(value as Record<string, INodeParameters[]>).flatMap(([name, sets]) => {
				const group = groups.find((one) => one.name === name);
				if (!group) return [name];
				return sets.flatMap((set) =>
					unknownParameters(set, group.values, description, root, false),
				);
			});
		}
		default:
			return [];
	}
}
