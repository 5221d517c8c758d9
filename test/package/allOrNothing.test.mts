import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { allOrNothing } from '../allOrNothing.mts';
import { temporaryFolder } from '../processes.mts';

function folderWithFiles() {
	const root = temporaryFolder('all-or-nothing-');
	const file = join(root, 'page.md');
	const folder = join(root, 'schemas');
	const added = join(root, 'new.txt');
	writeFileSync(file, 'before');
	mkdirSync(folder);
	writeFileSync(join(folder, 'one.json'), '{}');
	const write = () => {
		writeFileSync(file, 'after');
		rmSync(folder, { recursive: true });
		writeFileSync(added, 'new');
	};
	return { file, folder, added, write };
}

it('if something cannot be generated, all files and folders are as before', async () => {
	const { file, folder, added, write } = folderWithFiles();
	const work = async () => {
		write();
		await Promise.reject(new Error('No such page'));
	};
	await expect(allOrNothing([file, folder, added], work)).rejects.toThrow('No such page');
	expect(readFileSync(file, 'utf8')).toBe('before');
	expect(readFileSync(join(folder, 'one.json'), 'utf8')).toBe('{}');
	expect(existsSync(added)).toBe(false);
});

it('if everything can be generated, all of it stays', async () => {
	const { file, folder, added, write } = folderWithFiles();
	await allOrNothing([file, folder, added], async () => {
		await Promise.resolve();
		write();
	});
	expect(readFileSync(file, 'utf8')).toBe('after');
	expect(existsSync(folder)).toBe(false);
	expect(readFileSync(added, 'utf8')).toBe('new');
});
