import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INode, IRun, ITaskData } from 'n8n-workflow';

import { itemAt } from '../defined.mts';
import {
	NODE_TYPE,
	runWorkflow,
	TRIGGER_TYPE,
	triggerOf,
	type WorkflowFile,
} from '../engine/engine.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import { ROOT } from './build.mts';
import { standIns } from './standIns.mts';
import * as terminal from './terminal.mts';

/** What must be true at the end of a scene, and whether it is. */
export type Check = [holds: boolean, text: string];

const isOurs = (type: string) => [NODE_TYPE, TRIGGER_TYPE].includes(type);
const LOOK_MS = 50;
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

/**
 * Reads a workflow as n8n exports it, and prints its name.
 * @throws if it cannot run here
 */
export function openWorkflow(path: string): WorkflowFile {
	const file = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as WorkflowFile;
	const nodes = file.nodes.filter(({ type }) => type !== STICKY_NOTE);
	const unknown = nodes.find(({ type }) => !isOurs(type) && !(type in standIns));
	if (unknown) throw new Error(`${path} has the node ${unknown.type}: make a stand-in for it`);
	terminal.remark(`The workflow "${file.name}": ${path}`);
	return { ...file, nodes };
}

/** @throws if the workflow has no node of this type */
export function nodeOfType({ name, nodes }: WorkflowFile, type: string): INode {
	const found = nodes.find((node) => node.type === type);
	if (!found) throw new Error(`The workflow "${name}" has no node of the type ${type}`);
	return found;
}

/**
 * Runs a workflow and shows what each node sent, received and returned.
 *
 * @param items the output of the start node
 * @param look called often while a node runs
 */
export async function play(
	sandbox: Sandbox,
	file: WorkflowFile,
	start: INode,
	items: IDataObject[],
	look: () => void = () => {},
): Promise<IRun> {
	let shown = sandbox.requests.length;
	const typeOf = (name: string) => file.nodes.find((node) => node.name === name)?.type ?? '';
	const timer = setInterval(look, LOOK_MS);
	try {
		return await runWorkflow(sandbox, file, {
			start: start.name,
			items,
			otherTypes: standIns,
			beforeNode: (name) => {
				const type = typeOf(name);
				// A poll has already been shown
				if (type !== TRIGGER_TYPE) terminal.node(name, whatIs(type));
			},
			afterNode: (name, task) => {
				look();
				showRequests(sandbox.requests.slice(shown));
				shown = sandbox.requests.length;
				if (typeOf(name) !== TRIGGER_TYPE) showOutcome(typeOf(name), task);
			},
		});
	} finally {
		clearInterval(timer);
	}
}

/** The trigger of a published workflow; `poll` shows its requests and returns what is new. */
export function pollsOf(sandbox: Sandbox, file: WorkflowFile) {
	const node = nodeOfType(file, TRIGGER_TYPE);
	const trigger = triggerOf(sandbox, node.parameters);
	const poll = async (): Promise<IDataObject[]> => {
		const shown = sandbox.requests.length;
		terminal.node(node.name, whatIs(node.type));
		const [items = []] = (await trigger.poll()) ?? [];
		showRequests(sandbox.requests.slice(shown));
		terminal.detail(
			'output',
			items.length === 0 ? 'nothing, so no workflow starts' : inShort(items),
		);
		return items.map(({ json }) => json);
	};
	return { node, poll };
}

/** Items at the first output of a node. */
export function outputOf({ data }: IRun, { name }: INode): IDataObject[] {
	const items = data.resultData.runData[name]?.[0]?.data?.main?.[0];
	return items?.map(({ json }) => json) ?? [];
}

/**
 * Shows what was checked.
 * @returns whether all of it is true
 */
export function judge(checks: Check[]): boolean {
	terminal.say();
	for (const [holds, text] of checks) terminal.verdict(holds, text);
	return checks.every(([holds]) => holds);
}

/** Whether a workflow ran to its end, with its error if it did not. */
export function succeeded({ status, data }: IRun, { name }: WorkflowFile): Check {
	if (status === 'success') return [true, `"${name}" has succeeded.`];
	return [false, `"${name}" has failed: ${data.resultData.error?.message}`];
}

const whatIs = (type: string) => {
	const standIn = standIns[type];
	if (standIn) return `stand-in for n8n's ${standIn.description.displayName} node`;
	return type === TRIGGER_TYPE ? 'Search Visibility Trigger' : 'Search Visibility';
};

function showOutcome(type: string, { error, data }: ITaskData): void {
	if (error) terminal.detail('error', error.message);
	const { outputNames } = standIns[type]?.description ?? {};
	data?.main?.forEach((items, output) => {
		if (items?.length) terminal.detail('output', outputNames?.[output] ?? inShort(items));
	});
}

/** Pages of one list, and the same request for several records, are shown as one. */
function showRequests(requests: LoggedRequest[]): void {
	const groups = new Map<string, LoggedRequest[]>();
	for (const request of requests) {
		const target = targetOf(request).replace(RECORD_ID, '/{id}');
		groups.set(target, [...(groups.get(target) ?? []), request]);
	}
	for (const [target, group] of groups) {
		const first = itemAt(group, 0);
		const times = `${group.length} ${first.method === 'GET' ? 'pages' : 'times'}`;
		const isOne = group.length === 1;
		terminal.detail('sent', isOne ? `${targetOf(first)}${bodyOf(first)}` : `${target} (${times})`);
		terminal.detail('received', isOne ? String(first.status) : statusesOf(group));
	}
}

const RECORD_ID = /\/\w+_\d+(?=\/|$)/;

function targetOf({ method, path, query }: LoggedRequest): string {
	const search = new URLSearchParams(query as Record<string, string>);
	search.delete('offset');
	search.delete('limit');
	return `${method} ${path}${search.size > 0 ? `?${search}` : ''}`;
}

const bodyOf = ({ method, body }: LoggedRequest) =>
	method === 'GET' || body === undefined ? '' : ` ${jsonOf(body)}`;

function statusesOf(requests: LoggedRequest[]): string {
	const times = new Map<number | null, number>();
	for (const { status } of requests) times.set(status, (times.get(status) ?? 0) + 1);
	return [...times].map(([status, count]) => `${count} × ${status}`).join(', ');
}

const inShort = (items: Array<{ json: IDataObject }>) =>
	items.length === 1 ? jsonOf(itemAt(items, 0).json) : `${items.length} items`;

/** With spaces, so that long lines can be wrapped. */
const jsonOf = (value: unknown) => JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
