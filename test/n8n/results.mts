import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Reporter, TestModule, TestSuite } from 'vitest/node';

/** A group of tests in a real n8n, all of which passed. */
export interface Result {
	/** The subject of the group, such as a version */
	name: string;
	n8n: string;
	node: string;
	passed: number;
	/** From the first test to the last */
	seconds: number;
	day: string;
}

declare module 'vitest' {
	interface TaskMeta {
		/** Set by one test of each group */
		ranIn?: Pick<Result, 'name' | 'n8n' | 'node'>;
	}
}

const pathOf = (folder: string) =>
	fileURLToPath(new URL(`../${folder}/results.json`, import.meta.url));

/** @returns the stored results of a test folder; none if it never ran */
export function readResults(folder: string): Result[] {
	const path = pathOf(folder);
	return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Result[]) : [];
}

/**
 * With KEEP_RESULTS=1, stores the results of the groups that passed completely in the folder's `results.json`, for the
 * documentation.
 */
export class KeepResults implements Reporter {
	constructor(private readonly folder: string) {}

	onTestRunEnd(modules: readonly TestModule[]): void {
		if (process.env.KEEP_RESULTS !== '1') return;
		const results = new Map(readResults(this.folder).map((result) => [result.name, result]));
		for (const suite of modules.flatMap((module) => [...module.children.suites()])) {
			const result = resultOf(suite);
			if (result) results.set(result.name, result);
		}
		const sorted = [...results.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
		writeFileSync(pathOf(this.folder), `${JSON.stringify(sorted, null, '\t')}\n`);
	}
}

/** @returns undefined for a group that failed in part or of which only a part ran */
function resultOf(suite: TestSuite): Result | undefined {
	const tests = [...suite.children.allTests()];
	const ranIn = tests.map((test) => test.meta().ranIn).find(Boolean);
	if (suite.state() !== 'passed' || tests.some((test) => test.result().state !== 'passed')) return;
	const times = tests.flatMap((test) => test.diagnostic() ?? []);
	const begin = Math.min(...times.map(({ startTime }) => startTime));
	const end = Math.max(...times.map(({ startTime, duration }) => startTime + duration));
	const day = new Date().toISOString().slice(0, 10);
	const seconds = Math.round((end - begin) / 1000);
	return ranIn && { ...ranIn, passed: tests.length, seconds, day };
}
