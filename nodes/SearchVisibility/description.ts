import type { INodeProperties } from 'n8n-workflow';

import type { Field, Resource } from './operation';
import { fieldsOf } from './options';
import { RESOURCES } from './resources';

/** The parameters of the node, from the table of resources. Nobody else writes displayOptions. */
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

const OPERATION: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	default: '',
};

/** People read more often than they write, so a list is what a resource begins with. */
function operationProperty({ value: resource, operations }: Resource): INodeProperties {
	const first = operations.find(({ answer }) => answer === 'list') ?? operations[0];
	return {
		...OPERATION,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }) => ({
			name,
			value,
			action,
			description,
		})),
		default: first.value,
	};
}

function drawAt(field: Field, place: Record<string, string[]>): INodeProperties {
	return { ...draw(field), displayOptions: { show: { ...place, ...field.when } } };
}

function draw({ property, fields }: Field): INodeProperties {
	return fields ? { ...property, options: fields.map(drawInside) } : property;
}

/** Inside a collection, a parameter of the node is reached with a slash in front. */
function drawInside(field: Field): INodeProperties {
	if (!field.when) return draw(field);
	const show = Object.entries(field.when).map(([name, values]) => [`/${name}`, values]);
	return { ...draw(field), displayOptions: { show: Object.fromEntries(show) } };
}
