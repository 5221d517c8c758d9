import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The tests of the mutated parts, quick ones first: the first failing test ends the run of a mutant. */
const parts = [
	'secret',
	'times',
	'field',
	'mapConcurrently',
	'nodeErrors',
	'failure',
	'readFields',
	'triggerSettings',
	'itemInput',
	'plan',
	'answer',
	'lookup',
	'listSearch',
	'execute',
	'run',
	'retryMemory',
	'values',
	'transport',
	'client',
	'pagination',
	'joinedLists',
	'state',
	'discovery',
	'poll',
	'gate',
	'pace',
];

class QuickFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const place = ({ moduleId }: TestSpecification) =>
			parts.findIndex((part) => moduleId.endsWith(`/${part}.test.mts`));
		return await Promise.resolve([...files].sort((a, b) => place(a) - place(b)));
	}
}

export default defineConfig({
	test: {
		include: parts.map((part) => `test/unit/${part}.test.mts`),
		setupFiles: ['test/mutation.setup.mts'],
		sequence: { sequencer: QuickFirst },
		env: { HISTORIES: '40' },
		// Each mutant gets a new thread anyway, and n8n-workflow takes long to load
		isolate: false,
		testTimeout: 90_000,
		server: { deps: { external: [/\/dist\//] } },
	},
});
