import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What waits most comes first, so that the others run meanwhile; then what takes longest. */
const FIRST = [
	'engine/faults',
	'engine/matrix',
	'engine/random',
	'demo/demo',
	'unit/pace',
	'engine/bulk',
	'engine/errors',
	'sandbox/sandbox',
	'engine/size',
	'package/supplyChain',
	'package/scan',
	'engine/security',
	'model/histories',
];

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const rankOf = ({ moduleId }: TestSpecification) => {
			const rank = FIRST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.mts`));
			return rank < 0 ? FIRST.length : rank;
		};
		return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
	}
}

export default defineConfig({
	test: {
		include: ['test/{bench,contract,demo,docs,engine,fleet,model,package,sandbox,unit}/*.test.mts'],
		setupFiles: ['test/seed.mts'],
		pool: 'forks',
		// One more than the processors of a small machine: much of it is waiting
		maxWorkers: 3,
		sequence: { sequencer: LongestFirst },
		isolate: false,
		// Far more than any test needs, because a busy machine must not make one fail
		testTimeout: 90_000,
		hookTimeout: 90_000,
		silent: 'passed-only',
		server: { deps: { external: [/\/dist\//] } },
		coverage: {
			provider: 'v8',
			include: ['dist/nodes/**/*.js', 'dist/credentials/**/*.js'],
			allowExternal: true,
			reporter: ['text'],
			thresholds: { lines: 95, branches: 95 },
		},
	},
});
