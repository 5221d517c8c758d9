import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The tests that take longer come last, because the first failing test ends the run of a mutant. At the very end, a test
 * loads the nodes: where a mutant keeps the other files from being imported, it is the one that fails. If it were not
 * the last, it would count as the only test of what runs while the nodes are loaded.
 */
const last = [
	'values',
	'secret',
	'transport',
	'client',
	'pagination',
	'joinedLists',
	'poll',
	'gate',
	'pace',
	'loading',
];

class QuickFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const place = ({ moduleId }: TestSpecification) =>
			last.findIndex((part) => moduleId.endsWith(`/${part}.test.mts`));
		return await Promise.resolve([...files].sort((a, b) => place(a) - place(b)));
	}
}

export default defineConfig({
	test: {
		include: ['test/unit/*.test.mts'],
		setupFiles: ['test/mutation.setup.mts'],
		sequence: { sequencer: QuickFirst },
		env: { HISTORIES: '40' },
		// Each mutant gets a new thread anyway, and n8n-workflow takes long to load
		isolate: false,
		testTimeout: 90_000,
		server: { deps: { external: [/\/dist\//] } },
	},
});
