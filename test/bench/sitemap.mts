import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { defined } from '../defined.mts';
import { listen } from '../listen.mts';
import type { Json, WorkflowJson } from '../n8n/client.mts';
import { credentialsFor, ROOT, startServer, until } from '../n8n/helpers.mts';
import type { N8nServer } from '../n8n/server.mts';

/*
 * What the bookkeeping of the example sitemap-to-indexing.json takes in a real n8n: a first run, which remembers all pages,
 * one that finds nothing new, and one that finds a new page for every hundred. No page is sent, since nothing is selected
 * from the queue.
 */

const MINUTE = 60_000;
/** The seconds in which a run over so many pages must have ended; no sitemap has more than the last */
const BOUNDS = [
	{ count: 5000, seconds: 20 },
	{ count: 50_000, seconds: 240 },
];

const PAGE =
	'<url><loc>https://www.example.com/blog/a-typical-page-name-of-some-length/#</loc><lastmod>2030-01-01</lastmod></url>';
const sitemapOf = (count: number) =>
	`<urlset>${Array.from({ length: count }, (_, index) => PAGE.replace('#', `${index}`)).join('')}</urlset>`;

/** @returns the most memory that n8n has used so far, in GiB */
const peakOf = ({ pid }: N8nServer): number =>
	Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 2 ** 20;

/** The example with the address of a sitemap and a table of its own, in which nothing is waiting for it. */
function exampleFor(address: string, table: string): WorkflowJson {
	const path = join(ROOT, 'examples', 'sitemap-to-indexing.json');
	const example = JSON.parse(
		readFileSync(path, 'utf8')
			.replaceAll('Pages of the sitemap', table)
			.replace('https://www.example.com/sitemap.xml', address),
	) as WorkflowJson;
	const queue = defined(example.nodes.find(({ name }) => name === 'Next in the queue'));
	const [condition] = (queue.parameters as Json).filters.conditions;
	condition.keyValue = 'nothing';
	return example;
}

/** Runs the workflow as "Execute workflow" does; returns how long it took, in seconds. */
async function secondsOf(server: N8nServer, id: string): Promise<number> {
	const executionId = await server.startManually(id, { name: 'Every day' });
	let found: Json | undefined;
	const isOver = async () => {
		// While n8n is busy, it may not answer
		const { results } = await server.executions(id).catch(() => ({ results: [] }));
		found = results.find((one) => one.id === executionId);
		return found?.stoppedAt;
	};
	await until('the end of a run', isOver, 15 * MINUTE);
	const { status, startedAt, stoppedAt } = defined(found);
	if (status !== 'success') throw new Error(`The run of ${id} ended as ${status}`);
	return (Date.parse(stoppedAt) - Date.parse(startedAt)) / 1000;
}

/** Prints the times. @returns whether one of them is too long */
export async function timeSitemaps(): Promise<boolean> {
	let pages = 0;
	const site = await listen(createServer((_, response) => response.end(sitemapOf(pages))));
	let isMissed = false;
	for (const { count, seconds: most } of BOUNDS) {
		const server = await startServer({ log: () => {} });
		const none = { url: 'http://127.0.0.1:9', apiKey: 'bench-key' };
		const credentialIds = await credentialsFor(server, none);
		const example = exampleFor(`${site.url}/sitemap.xml`, `Pages ${count}`);
		const id = await server.importWorkflow(example, { credentialIds });
		for (const name of ['all new', 'none new', '1 % new']) {
			pages = name === '1 % new' ? count * 1.01 : count;
			const seconds = await secondsOf(server, id);
			isMissed ||= seconds > most;
			const verdict = seconds > most ? 'MISSED' : 'ok';
			const memory = `n8n's memory ${peakOf(server).toFixed(2)} GiB`;
			const time = `${seconds.toFixed(1)} s, at most ${most} s`;
			console.log(`${count} pages, ${name}: ${time}, ${verdict}, ${memory}`);
		}
		await server.stop();
	}
	await site.close();
	return isMissed;
}
