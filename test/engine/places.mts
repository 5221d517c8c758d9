import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { itemAt } from '../defined.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { description } from './engine.mts';
import { byId, callOf } from './helpers.mts';

/** A parameter of an operation that an expression can fill, and how to insert one. */
export interface Place {
	property: INodeProperties;
	/** The collection that it is in */
	collection?: string | undefined;
	/** A call that is valid apart from this parameter */
	callWith: (value: unknown) => INodeParameters;
}

/** The targets that n8n requires if the type of an action is an expression, which could give any type */
const targetsFrom = (value: string): INodeParameters => ({
	additionalInstructions: value,
	articleId: byId(value),
	backlinkId: byId(value),
	citationId: byId(value),
	competitorId: byId(value),
});

/** The same targets, from an expression that gives nothing. */
export const ANY_TARGET = targetsFrom('={{ $json.nothing }}');

/** @param sandboxNow returns the sandbox whose records a valid call uses */
export function placesOf(name: string, sandboxNow: () => Sandbox): Place[] {
	const [resource, operation] = name.split('.');
	const choosing = ['resource', 'operation'];
	const entered = description.properties.filter(
		(property) => property.type !== 'notice' && !choosing.includes(property.name),
	);
	const shown = entered.filter(({ displayOptions: { show = {} } = {} }) => {
		// What only a tool has is in tools.test.mts
		const isForTools = show['@tool']?.includes(true);
		// What all operations share has no place
		const { resource: resources = [resource], operation: operations = [operation] } = show;
		return resources.includes(resource) && operations.includes(operation) && !isForTools;
	});
	return shown.flatMap((property) => {
		if (property.type !== 'collection') return [placeOf(name, sandboxNow, property)];
		return (property.options as INodeProperties[]).map((inner) =>
			placeOf(name, sandboxNow, inner, property.name),
		);
	});
}

function placeOf(
	name: string,
	sandboxNow: () => Sandbox,
	property: INodeProperties,
	collection?: string,
): Place {
	const conditions = Object.entries(property.displayOptions?.show ?? {})
		.map(([key, values]) => [key.replace('/', ''), values?.at(-1)])
		.filter(([key]) => !['resource', 'operation', '@tool'].includes(String(key)));
	return {
		property,
		collection,
		callWith: (value) => {
			const entry = property.type === 'resourceLocator' ? byId(value) : value;
			const parameters: INodeParameters = {
				...(name === 'action.create' && {
					...targetsFrom('some-id'),
					articleId: byId(itemAt([...sandboxNow().state.all('article')], 0).id),
				}),
				...callOf(name, sandboxNow(), Object.fromEntries(conditions)),
			};
			if (!collection) return { ...parameters, [property.name]: entry as never };
			const inside = { ...(parameters[collection] as object), [property.name]: entry };
			return { ...parameters, [collection]: inside as never };
		},
	};
}
