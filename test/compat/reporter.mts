import { writeFileSync } from 'node:fs';

import type { Reporter, SerializedError, TestModule } from 'vitest/node';

import { itemAt } from '../defined.mts';

/** The outcome of one run of the engine tests. */
export interface Outcome {
	/** The packages that each test file ran with */
	ranWith: string[][];
	passed: number;
	/** The reason for each skipped test */
	skipped: string[];
	/** What failed, and why */
	failed: string[];
}

const wordsOf = ({ message }: { message?: string }) =>
	itemAt((message ?? 'no words').split('\n'), 0);

function failuresOf(modules: readonly TestModule[]): string[] {
	return modules.flatMap((module) => {
		const tests = [...module.children.allTests()];
		const bad = tests.filter((test) => ['failed', 'pending'].includes(test.result().state));
		const failed = bad.map((test) => {
			const [error] = test.result().errors ?? [];
			return `${test.fullName}: ${error ? wordsOf(error) : 'it did not end'}`;
		});
		const groups = [module, ...module.children.allSuites()];
		const others = groups.flatMap((group) => group.errors().map(wordsOf));
		return [...failed, ...others.map((words) => `${module.relativeModuleId}: ${words}`)];
	});
}

/** Writes the outcome to the file named by COMPAT_OUTCOME. */
export default class OutcomeReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
		const results = modules
			.flatMap((module) => [...module.children.allTests()])
			.map((test) => test.result());
		const outcome: Outcome = {
			ranWith: modules.map((module) => module.meta().ranWith ?? []),
			passed: results.filter(({ state }) => state === 'passed').length,
			skipped: results.flatMap((one) => (one.state === 'skipped' ? [one.note ?? ''] : [])),
			failed: [...failuresOf(modules), ...unhandled.map(wordsOf)],
		};
		writeFileSync(process.env.COMPAT_OUTCOME as string, JSON.stringify(outcome));
	}
}
