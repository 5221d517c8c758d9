import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { description } from './engine.mts';
import { byId, callOf } from './helpers.mts';

/** A parameter of an operation that an expression can fill, and how to insert one. */
export type Place = ReturnType<typeof placeOf>;

/** The targets that n8n requires if the type of an action is an expression, which could give any type */
const targetsFrom = (value: string, articleId = value): INodeParameters => ({
	additionalInstructions: value,
	articleId: byId(articleId),
	backlinkId: byId(value),
	citationId: byId(value),
	competitorId: byId(value),
});

/** The same targets, from an expression that gives nothing. */
export const ANY_TARGET = targetsFrom('={{ $json.nothing }}');

/** Those of one operation. What only a tool has is in tools.test.mts, and what all operations share has no place. */
export function placesOf(name: string): Place[] {
	const [resource, operation] = name.split('.');
	const shown = description.properties.filter(({ type, name: parameter, displayOptions }) => {
		const { show = {} } = displayOptions ?? {};
		const { resource: resources = [resource], operation: operations = [operation] } = show;
		const isEntered = type !== 'notice' && !['resource', 'operation'].includes(parameter);
		const isHere = resources.includes(resource) && operations.includes(operation);
		return isEntered && isHere && !show['@tool']?.includes(true);
	});
	return shown.flatMap((property) => {
		if (property.type !== 'collection') return [placeOf(name, property)];
		return (property.options as INodeProperties[]).map((inner) =>
			placeOf(name, inner, property.name),
		);
	});
}

function placeOf(name: string, property: INodeProperties, collection?: string) {
	const conditions = Object.entries(property.displayOptions?.show ?? {})
		.map(([key, values]) => [key.replace('/', ''), values?.at(-1)])
		.filter(([key]) => !['resource', 'operation', '@tool'].includes(String(key)));
	/** A call that is valid apart from this parameter */
	const callWith = (value: unknown): INodeParameters => {
		const entry = property.type === 'resourceLocator' ? byId(value) : value;
		const parameters: INodeParameters = {
			...(name === 'action.create' && targetsFrom('some-id', 'art_0001')),
			...callOf(name, Object.fromEntries(conditions)),
		};
		if (!collection) return { ...parameters, [property.name]: entry as never };
		const inside = { ...(parameters[collection] as object), [property.name]: entry };
		return { ...parameters, [collection]: inside as never };
	};
	return { property, collection, callWith };
}
