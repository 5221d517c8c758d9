import type { IDataObject, INode, INodeParameters, INodeProperties } from 'n8n-workflow';

import { description, n8nWorkflow, NODE_TYPE, nodeOf } from '../engine/engine.mts';
import type { Frozen } from './files.mts';
import { START, type Given } from './play.mts';
import type { Service } from './service.mts';
import { ANSWERS, BY_ITEM, MORE, OPTIONS, valuesOf, type Values } from './values.mts';

/*
 * The workflows that a version could have saved: one for each operation, with every parameter of its description.
 */

const { displayParameter } = n8nWorkflow.NodeHelpers;

export interface Planned {
	workflow: Frozen;
	given: Record<string, Given>;
}

type Locator = { mode: string; value: unknown };

/** Values by path, joined with dots. */
type Chosen = Record<string, unknown>;

interface Choice {
	/** Such as "Sort By: domain" */
	title: string;
	chosen: Chosen;
}

const REFUSAL = { status: 400, body: { type: 'odd', message: 'No.' } };

const CONTINUE = [
	['continue', 'continueRegularOutput'],
	['error output', 'continueErrorOutput'],
] as const;

/** @returns a workflow for each operation of the node, by resource and operation */
export function planWorkflows(service: Service): Record<string, Planned> {
	const planned: Record<string, Planned> = {};
	for (const { resource, operation } of offered()) {
		planned[`${resource}.${operation}`] = new Plan(resource, operation, service).make();
	}
	return planned;
}

function offered(): Array<{ resource: string; operation: string }> {
	return description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options.map((option) => ({
				resource: String(displayOptions?.show?.resource?.[0]),
				operation: String((option as { value: string }).value),
			})),
		);
}

/** The nodes for one operation. */
class Plan {
	private readonly name: string;
	private readonly values: Values;
	private readonly nodes: INode[] = [];
	private readonly given: Record<string, Given> = {};

	constructor(
		private readonly resource: string,
		private readonly operation: string,
		private readonly service: Service,
	) {
		this.name = `${resource}.${operation}`;
		this.values = valuesOf(this.name, service);
	}

	make(): Planned {
		this.add('Only defaults', {});
		const full = this.fill();
		this.add('All parameters', full, { answer: ANSWERS[this.name] ?? ANSWERS.other });
		const plain = { ...full };
		delete plain.options;
		this.add('Without options', plain);
		for (const { title, chosen } of this.choices()) {
			const { options: _, ...parameters } = this.fill(chosen);
			this.add(title, parameters);
		}
		this.addItems(plain);
		for (const { title, changes, given } of MORE[this.name]?.(this.service) ?? []) {
			const parameters = { ...plain, ...changes };
			// Hidden parameters are not saved
			if (parameters.returnAll === true) delete parameters.limit;
			this.add(title, parameters, given);
		}
		return { workflow: this.workflow(), given: this.given };
	}

	private add(name: string, parameters: INodeParameters, given?: Given, more?: Partial<INode>) {
		const known = this.nodes.some((node) => node.name === name);
		if (known) throw new Error(`${this.name} has two nodes "${name}"`);
		const { resource, operation } = this;
		this.nodes.push(
			nodeOf({
				name,
				type: NODE_TYPE,
				position: [300, this.nodes.length * 160],
				parameters: { resource, operation, ...parameters },
				credentials: { searchVisibilityApi: { id: '1', name: 'Sandbox' } },
				executeOnce: true,
				...more,
			}),
		);
		if (given) this.given[name] = given;
	}

	/** With several items, one of which fails if possible, and with a refusal. */
	private addItems(plain: INodeParameters) {
		const parameters = { ...plain, ...BY_ITEM[this.name], options: { concurrency: 1 } };
		const once = { executeOnce: false };
		this.add('Items, stop', parameters, undefined, once);
		for (const [title, onError] of CONTINUE) {
			this.add(`Items, ${title}`, parameters, undefined, { ...once, onError });
		}
		this.add('Refused', plain, { answer: REFUSAL });
		this.add('Refused, continue', plain, { answer: REFUSAL }, { onError: 'continueRegularOutput' });
	}

	/** All visible parameters, one after the other, because a value can make others visible. */
	private fill(chosen: Chosen = {}): INodeParameters {
		const { resource, operation } = this;
		const parameters: INodeParameters = { resource, operation };
		for (const property of description.properties) {
			const { name, type } = property;
			if (name in parameters || type === 'notice' || !shows(property, parameters)) continue;
			parameters[name] = this.valueOf(property, name, parameters, chosen) as never;
		}
		const { resource: _, operation: __, ...rest } = parameters;
		return rest;
	}

	private valueOf(
		property: INodeProperties,
		at: string,
		root: INodeParameters,
		chosen: Chosen,
	): unknown {
		if (at in chosen) return chosen[at];
		if (property.type !== 'collection') return this.usual(property, at);
		const inside: INodeParameters = {};
		for (const option of (property.options ?? []) as INodeProperties[]) {
			if (!shows(option, inside, root)) continue;
			inside[option.name] = this.valueOf(option, `${at}.${option.name}`, root, chosen) as never;
		}
		return inside;
	}

	private usual({ name }: INodeProperties, at: string): unknown {
		const values = at.startsWith('options.') ? { ...OPTIONS, ...this.values } : this.values;
		if (!(name in values)) throw new Error(`values.mts has no ${name} of ${this.name}`);
		return values[name];
	}

	/** Every other value of each choice, and every mode of each locator. */
	private choices(): Choice[] {
		const choices = this.choicesWith({});
		// Some parameters are visible only with another value of an earlier one
		for (const { chosen } of [...choices]) {
			for (const more of this.choicesWith(chosen)) {
				if (!choices.some(({ title }) => title === more.title)) choices.push(more);
			}
		}
		return choices;
	}

	private choicesWith(chosen: Chosen): Choice[] {
		const choices: Choice[] = [];
		const look = (
			properties: INodeProperties[],
			inside: INodeParameters,
			root: INodeParameters,
			at: string,
		) => {
			for (const property of properties) {
				const value = inside[property.name];
				const path = `${at}${property.name}`;
				if (isStructure(path) || value === undefined || !shows(property, inside, root)) continue;
				if (property.type === 'collection') {
					look(property.options as INodeProperties[], value as INodeParameters, root, `${path}.`);
				}
				if (path in chosen) continue;
				for (const [words, other] of this.othersOf(property, value)) {
					const title = `${property.displayName}: ${words}`;
					choices.push({ title, chosen: { ...chosen, [path]: other } });
				}
			}
		};
		const { resource, operation } = this;
		const parameters = { resource, operation, ...this.fill(chosen) };
		look(description.properties, parameters, parameters, '');
		return choices;
	}

	/** @returns the values that a parameter can have besides its usual one, with their names */
	private othersOf({ name, type, options = [], modes = [] }: INodeProperties, usual: unknown) {
		const values = options.map((option) => (option as { value?: unknown }).value);
		const others: Array<[string, unknown]> = [];
		if (type === 'options') {
			others.push(...values.map((value) => [String(value), value] as [string, unknown]));
		}
		if (type === 'multiOptions') others.push(['none', []]);
		if (type === 'multiOptions' && values.length > 0) others.push(['all', values]);
		if (type === 'boolean') others.push([String(!usual), !usual]);
		if (type === 'resourceLocator') {
			const id = (this.values[name] as Locator).value;
			for (const { name: mode } of modes) {
				const value = mode === 'url' ? this.values[`${name}ByUrl`] : id;
				if (mode !== (usual as Locator).mode) others.push([mode, { __rl: true, mode, value }]);
			}
		}
		return others.filter(([, value]) => value !== usual);
	}

	private workflow(): Frozen {
		const start = nodeOf({ name: START, type: 'n8n-nodes-base.manualTrigger' });
		const to = this.nodes.map(({ name }) => ({ node: name, type: 'main' as const, index: 0 }));
		const items = (this.values.items ?? [{}]) as IDataObject[];
		return {
			name: this.name,
			nodes: [start, ...this.nodes],
			connections: { [START]: { main: [to] } },
			pinData: { [START]: items.map((json) => ({ json })) },
		};
	}
}

const isStructure = (name: string) => name === 'resource' || name === 'operation';

const shows = (property: INodeProperties, inside: INodeParameters, root = inside) =>
	displayParameter(inside, property, { typeVersion: 1 }, description, root);
