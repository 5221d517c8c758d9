import type { INodeProperties } from 'n8n-workflow';

import { drawAt, type Field } from '../shared/parameters/field';
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
			const place = { resource: [resource.value], operation: [operation.value] };
			for (const field of fieldsOf(operation)) properties.push(drawAt(field, place));
		}
	}
	return properties;
}

/** Users read more often than they write, so the default operation is a list if the resource has one. */
function operationProperty({
	value: resource,
	defaultOperation,
	operations,
}: Resource): INodeProperties {
	const list = operations.find(({ returns }) => returns === 'list');
	const first = defaultOperation ?? (list ?? operations[0])?.value;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action = name, description, hint }) => ({
			...{ name, value, action, description },
			...(hint && { builderHint: { propertyHint: hint } }),
		})),
		default: first,
	};
}

export const fieldsOf = (operation: Operation): Field[] => [
	...operation.fields,
	...optionsOf(operation),
];
