import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { IDataObject, INode } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';

import type { WorkflowFile } from '../engine/engine.mts';
import type { Life } from './lives.mts';
import type { Play } from './play.mts';
import type { Service } from './service.mts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** A workflow as n8n exports it, with the items of its first node pinned. */
export interface Frozen extends WorkflowFile {
	pinData: Record<string, Array<{ json: IDataObject }>>;
}

/** What is kept of one version of the package. */
export interface Version {
	service: Service;
	/** By file name: one workflow for each operation */
	workflows: Record<string, Frozen>;
	/** By file name and node name */
	plays: Record<string, Record<string, Play>>;
	examples: Record<string, WorkflowFile>;
	/** Input, requests and output of the nodes in the examples */
	examplePlays: Record<string, Record<string, Play & { items: IDataObject[] }>>;
	lives: Life[];
}

export const versions = (): string[] =>
	readdirSync(FOLDER, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name);

const fileNames = (folder: string) => readdirSync(folder).map((file) => file.replace('.json', ''));

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

function readFolder<Content>(folder: string): Record<string, Content> {
	const names = fileNames(folder);
	return Object.fromEntries(
		names.map((name) => [name, read(join(folder, `${name}.json`)) as Content]),
	);
}

export function readVersion(version: string): Version {
	const folder = join(FOLDER, version);
	return {
		service: read(join(folder, 'service.json')),
		workflows: readFolder(join(folder, 'workflows')),
		plays: readFolder(join(folder, 'plays')),
		examples: readFolder(join(folder, 'examples')),
		examplePlays: read(join(folder, 'examples.json')),
		lives: read(join(folder, 'trigger.json')),
	};
}

/** @returns the folder */
export async function writeVersion(version: string, content: Version): Promise<string> {
	const folder = join(FOLDER, version);
	const config = await resolveConfig(join(folder, 'any.json'));
	const write = async (path: string, value: unknown) => {
		const file = join(folder, `${path}.json`);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, await format(JSON.stringify(value), { ...config, parser: 'json' }));
	};
	const writeFolder = async (path: string, files: Record<string, unknown>) => {
		for (const [name, value] of Object.entries(files)) await write(join(path, name), value);
	};
	await write('service', content.service);
	await writeFolder('workflows', content.workflows);
	await writeFolder('plays', content.plays);
	await writeFolder('examples', content.examples);
	await write('examples', content.examplePlays);
	await write('trigger', content.lives);
	return folder;
}

export const isOurs = ({ type }: INode) => type.startsWith('n8n-nodes-search-visibility.');
