import type { INodeProperties } from 'n8n-workflow';

import { toProperty, type Parameter } from '../shared/parameters/parameter';
import type { Operation, Resource } from './operation';
import { RESOURCES } from './resources';
import { optionsOf } from './resources/options';

export function nodeProperties(): INodeProperties[] {
	const properties: INodeProperties[] = [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: RESOURCES.map(({ name, value, description }) => ({ name, value, description })),
			default: 'citedPage',
		},
	];
	for (const resource of RESOURCES) {
		properties.push(operationProperty(resource));
		for (const operation of resource.operations) {
			const show = { resource: [resource.value], operation: [operation.value] };
			for (const parameter of parametersOf(operation)) properties.push(toProperty(parameter, show));
		}
	}
	return properties;
}

function operationProperty({
	value: resource,
	defaultOperation: { value: first },
	operations,
}: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action = name, description, builderHint }) => ({
			name,
			value,
			action,
			description,
			...(builderHint && { builderHint: { propertyHint: builderHint } }),
		})),
		default: first,
	};
}

export const parametersOf = (operation: Operation): Parameter[] => [
	...operation.parameters,
	...optionsOf(operation),
];
