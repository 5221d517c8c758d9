import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import { defined, itemAt } from '../defined.mts';
import { runWorkflow, TRIGGER_TYPE, triggerOf, type WorkflowFile } from '../engine/engine.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import { ROOT } from './build.mts';
import { standIns } from './standIns.mts';

/** Longer texts are cut. */
const MOST_CHARACTERS = 300;
const RECORD_ID = /\/\w+_\d+(?=\/|$)/;

const detail = (label: string, text: string) => {
	const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text;
	console.log(`     ${label.padEnd(9)} ${short}`);
};

/**
 * A workflow as n8n exports it, with the site that a user enters; prints what its nodes send, receive and return.
 */
export function openWorkflow(sandbox: Sandbox, path: string, site = 'https://www.example.com/') {
	const text = readFileSync(join(ROOT, path), 'utf8');
	const entered = text.replace('"value": "https://www.example.com/"', `"value": "${site}"`);
	const { nodes, ...rest } = JSON.parse(entered) as WorkflowFile;
	const file = { ...rest, nodes: nodes.filter(({ type }) => !type.endsWith('.stickyNote')) };
	console.log(`   The workflow "${file.name}": ${path}`);
	const nodeNamed = (name: string) => defined(file.nodes.find((node) => node.name === name));
	let shown = sandbox.requests.length;
	const showNode = (name: string, items: IDataObject[], error?: string) => {
		const { type } = nodeNamed(name);
		const standIn = standIns[type]?.description.displayName;
		console.log(`\n   ${name}  (${standIn ? `stand-in for ${standIn}` : type.split('.').pop()})`);
		showRequests(sandbox.requests.slice(shown));
		shown = sandbox.requests.length;
		detail(error === undefined ? 'output' : 'error', error ?? inShort(items));
	};
	return {
		/** Runs the workflow from this node on, which has put out these items. */
		async run(start: string, items: IDataObject[]): Promise<IRun> {
			shown = sandbox.requests.length;
			return await runWorkflow(sandbox, file, {
				start,
				items,
				otherTypes: standIns,
				afterNode: (name, { data, error }) => {
					// A poll has already been shown
					if (nodeNamed(name).type === TRIGGER_TYPE) return;
					const output = (data?.main ?? []).flatMap((one) => one ?? []);
					showNode(name, jsonsOf(output), error?.message);
				},
			});
		},
		/** The polls of a published workflow, each with what is new. */
		pollsOf(name: string): () => Promise<IDataObject[]> {
			const trigger = triggerOf(sandbox, nodeNamed(name).parameters);
			return async () => {
				shown = sandbox.requests.length;
				const [items = []] = (await trigger.poll()) ?? [];
				showNode(name, jsonsOf(items));
				return jsonsOf(items);
			};
		},
	};
}

/** Items at the first output of a node. */
export function outputOf({ data }: IRun, name: string): IDataObject[] {
	return jsonsOf(data.resultData.runData[name]?.[0]?.data?.main?.[0] ?? []);
}

const jsonsOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);

/** Pages of one list, and the same request for several records, are shown as one. */
function showRequests(requests: LoggedRequest[]): void {
	const targets = new Map<string, LoggedRequest[]>();
	for (const one of requests) {
		const target = targetOf(one).replace(RECORD_ID, '/{id}');
		targets.set(target, [...(targets.get(target) ?? []), one]);
	}
	for (const [target, group] of targets) {
		const first = itemAt(group, 0);
		const isOne = group.length === 1;
		const body = first.method === 'GET' ? '' : ` ${jsonOf(first.body ?? '')}`;
		detail('sent', isOne ? `${targetOf(first)}${body}` : `${target} (${group.length} times)`);
		detail('received', [...new Set(group.map(({ status }) => status))].join(', '));
	}
}

function targetOf({ method, path, query }: LoggedRequest): string {
	const search = new URLSearchParams(query as Record<string, string>);
	search.delete('offset');
	search.delete('limit');
	return `${method} ${path}${search.size > 0 ? `?${search}` : ''}`;
}

const inShort = (items: IDataObject[]) =>
	items.length === 1 ? jsonOf(items[0]) : `${items.length === 0 ? 'no' : items.length} items`;

const jsonOf = (value: unknown) => JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
