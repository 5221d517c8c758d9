import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { INode, INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { node } from '../helpers.mts';

const require = createRequire(import.meta.url);
const { NodeHelpers } = require('n8n-workflow') as typeof import('n8n-workflow');
const { displayParameterPath, getNodeParameters } = NodeHelpers;

/** The description of a node as n8n sends it to the editor. */
export async function describedBy(
	page: Page,
	url: string,
	type: string,
): Promise<INodeTypeDescription> {
	const all: INodeTypeDescription[] = await (
		await page.request.get(`${url}/types/nodes.json`)
	).json();
	const found = all.find(({ name }) => name === type);
	if (found === undefined) throw new Error(`n8n did not load ${type}`);
	return found;
}

/** What n8n's rules show for the user's input, from top to bottom. */
export class Expected {
	private readonly shown: INodeProperties[];

	private readonly parameters: INodeParameters;

	private readonly node: INode;

	constructor(
		private readonly description: INodeTypeDescription,
		entered: INodeParameters,
	) {
		const { properties, name } = description;
		this.node = { ...node('Node', name), typeVersion: 1, position: [0, 0] } as unknown as INode;
		this.parameters =
			getNodeParameters(properties, entered, true, false, this.node, description) ?? {};
		this.shown = this.shownAmong(properties, 'parameters');
	}

	get labels(): string[] {
		return this.shown.map(({ displayName }) => displayName);
	}

	/** What can be added to each collection; a collection with a single field has a button instead of a menu. */
	get menus(): string[][] {
		return this.shown
			.filter(({ type }) => type === 'collection')
			.map(({ name, options }) =>
				this.shownAmong(options as INodeProperties[], `parameters.${name}`),
			)
			.map((fields) => fields.map(({ displayName }) => displayName))
			.filter(({ length }) => length > 1);
	}

	private shownAmong(properties: INodeProperties[], path: string): INodeProperties[] {
		const values = { parameters: this.parameters };
		return properties.filter((property) =>
			displayParameterPath(values, property, path, this.node, this.description),
		);
	}
}

/** The option names of a parameter, where it is shown. */
export function optionsFor(
	{ properties }: INodeTypeDescription,
	name: string,
	resource?: string,
): Array<{ name: string; value: string }> {
	const fits = ({ name: one, displayOptions }: INodeProperties) =>
		one === name && (!resource || displayOptions?.show?.resource?.includes(resource));
	return (properties.find(fits)?.options ?? []) as Array<{ name: string; value: string }>;
}
