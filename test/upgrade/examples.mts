import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { PACKAGE_FOLDER, TRIGGER_TYPE, type WorkflowFile } from '../engine/engine.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { isOurs, type Version } from './files.mts';
import { play, START } from './play.mts';
import type { Service } from './service.mts';

const FOLDER = join(PACKAGE_FOLDER, 'examples');

export function readExamples(): Record<string, WorkflowFile> {
	const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
	return Object.fromEntries(
		files.map((file) => [
			file.replace('.json', ''),
			JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowFile,
		]),
	);
}

/**
 * Plays each of our nodes in the examples. The output of other nodes is simulated from the records: our node gets one
 * item for each kind of record, with every field that the examples read.
 */
export async function playExamples(
	sandbox: Sandbox,
	service: Service,
	examples: Record<string, WorkflowFile>,
): Promise<Version['examplePlays']> {
	const plays: Version['examplePlays'] = {};
	for (const [name, { nodes }] of Object.entries(examples)) {
		const played = (plays[name] = {} as Version['examplePlays'][string]);
		for (const node of nodes.filter((one) => isOurs(one) && one.type !== TRIGGER_TYPE)) {
			const items = itemsFor(service, node.parameters);
			const start = startOf(node.parameters);
			const parameters = withoutNow(node.parameters);
			const result = await play(sandbox, service, { ...node, parameters }, items, undefined, start);
			played[node.name] = { items, ...result };
		}
	}
	return plays;
}

/** Expressions may name the node that an item comes from. */
export function startOf(parameters: object): string {
	return /\$\('([^']+)'\)/.exec(JSON.stringify(parameters))?.[1] ?? START;
}

/** Time passes from version to version. It is noon in n8n's time zone, so that it is the same day in UTC. */
export function withoutNow<Parameters extends object>(parameters: Parameters): Parameters {
	const text = JSON.stringify(parameters);
	return JSON.parse(
		text.replaceAll('$now', '$now.set({ year: 2025, month: 6, day: 2, hour: 12 })'),
	);
}

function itemsFor({ records }: Service, { resource, operation, type }: IDataObject): IDataObject[] {
	const first = (kind: string) =>
		(records as unknown as IDataObject[]).find((record) => record.kind === kind) as IDataObject;
	const page = {
		...first('citedPage'),
		firstSeenAt: '2025-06-01T00:00:00.000Z',
		platforms: ['answer_engine', 'search_ai_mode'],
		citationId: first('citedPage').id,
	};
	const keyword: IDataObject = {
		...first('keyword'),
		mainKeyword: 'white tea',
		keywords: ['white tea', 'peony'],
	};
	const url = 'https://www.northwind-tea.example/blog/white-tea';
	const items: Record<string, IDataObject> = {
		'keyword.getCluster': keyword,
		'action.create.write_article': {
			...keyword,
			keywordIds: [keyword.id],
			question: 'Is white tea good for you?',
		},
		'competitor.create': { domain: 'new-rival.example' },
		'competitor.getAll': { howMany: 2, scope: 'discovered' },
		'indexing.notify': { url, event: 'URL_UPDATED', body: { url } },
		'question.update': first('question'),
		'citedPage.getAll': { type: 'processed', list: 'processed', limit: 2, startDate: '2025-01-01' },
	};
	const names = [`${resource}.${operation}.${type}`, `${resource}.${operation}`];
	const item = names.map((one) => items[one]).find(Boolean);
	return [item ?? { ...page, title: 'A page', reason: 'Cited 3 times', search: 'tea' }];
}
