import { execFileSync, execSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Follows "Add an endpoint" of CONTRIBUTING.md in a copy of the repository, and checks that the tests pass there.
 *
 *     npm run test:walkthrough
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MINUTES = 10;

/**
 * The parts of `npm test` that concern these steps, except for the fault matrix: it plays every operation under every
 * fault, which takes longer than all the rest.
 */
const CHECKS = [
	'npx n8n-node lint',
	'npm run lint:contract',
	'npm run build',
	'npm run typecheck',
	'npx vitest run test/contract/contract.test.mts test/contract/openapi.test.mts test/package/display.test.mts test/docs/docs.test.mts test/package/texts.test.mts test/engine/operations.test.mts test/engine/schemas.test.mts',
];
const isLong = (command: string) => command.includes('matrix');

interface Block {
	file: string;
	kind: string;
	lines: string[];
}

/** @returns the fenced blocks of the section, each with the last file named before it */
function blocksOf(section: string): Block[] {
	const parts = section.matchAll(/^\*\*\d\. .*?`([\w/.-]+)`|^```(\w+)\n(.*?)^```/gms);
	let file = '';
	return [...parts].flatMap(([, named, kind = '', text = '']) => {
		if (named) file = named;
		return named ? [] : [{ file, kind, lines: text.trimEnd().split('\n') }];
	});
}

/** Replaces the only place that has the lines of a diff without + with the lines without -. */
function patched(text: string, { file, lines }: Block): string {
	const side = (left: string) =>
		lines.filter((line) => !line.startsWith(left)).map((line) => `${line.slice(1)}\n`);
	const before = side('+').join('');
	const places = text.split(before).length - 1;
	if (places !== 1) throw new Error(`${file} has ${places} places with these lines:\n${before}`);
	return text.replace(before, () => side('-').join(''));
}

function copy(): string {
	const folder = mkdtempSync(join(tmpdir(), 'walkthrough-'));
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0');
	for (const file of files.filter(Boolean)) cpSync(join(ROOT, file), join(folder, file));
	symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	return folder;
}

const folder = copy();
try {
	const page = readFileSync(join(folder, 'CONTRIBUTING.md'), 'utf8');
	const [, section = ''] = /^## Add an endpoint.*?\n(.*?)^## /ms.exec(page) ?? [];
	const blocks = blocksOf(section);
	const steps = blocks.filter(({ kind }) => kind !== 'sh');
	const files = new Set(steps.map(({ file }) => file));
	if (files.size === 0 || files.size > 5) throw new Error(`${files.size} places to change`);
	for (const step of steps) {
		const path = join(folder, step.file);
		const isNew = step.kind !== 'diff';
		const text = isNew ? `${step.lines.join('\n')}\n` : patched(readFileSync(path, 'utf8'), step);
		writeFileSync(path, text);
	}
	const commands = blocks.filter(({ kind }) => kind === 'sh').flatMap(({ lines }) => lines);
	const format = `npx prettier --check ${[...files].join(' ')}`;
	for (const command of [...commands.filter((one) => !isLong(one)), format, ...CHECKS]) {
		console.log(`\n> ${command}`);
		execSync(command, { cwd: folder, stdio: 'inherit', timeout: MINUTES * 60_000 });
	}
	console.log(`\nThe walk-through works: ${files.size} places.`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
