import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { itemAt } from '../defined.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { description } from './engine.mts';
import { byId, callOf } from './helpers.mts';

/** A parameter of an operation that an expression can fill, and how to put one there. */
export interface Place {
	property: INodeProperties;
	/** A valid call but for this parameter */
	callWith: (value: unknown) => INodeParameters;
}

/** What n8n wants to be filled in where the type of an action is an expression, and so could be any */
const targetsFrom = (value: string): INodeParameters => ({
	additionalInstructions: value,
	articleId: byId(value),
	backlinkId: byId(value),
	citationId: byId(value),
	competitorId: byId(value),
});

/** The same from an expression that gives nothing. */
export const ANY_TARGET = targetsFrom('={{ $json.nothing }}');

/** @param sandboxNow gives the sandbox whose records a valid call names */
export function placesOf(name: string, sandboxNow: () => Sandbox): Place[] {
	const [resource, operation] = name.split('.');
	const shown = description.properties.filter(({ displayOptions: { show = {} } = {} }) => {
		return show.resource?.includes(resource) && show.operation?.includes(operation);
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
		.filter(([key]) => key !== 'resource' && key !== 'operation');
	return {
		property,
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
