import { readFileSync } from 'node:fs';

import { createTransport } from 'nodemailer';
import { expect, it } from 'vitest';

import { HOST } from '../n8n/instance.mts';
import { removeFolder, temporaryFolder } from '../processes.mts';
import { openInbox } from './inbox.mts';

it.each([
	['with a password', { user: 'anybody', pass: 'anything' }],
	['without one', undefined],
])(
	'the inbox of the demo takes an email %s, prints it, and saves it as a page',
	async (_, auth) => {
		const folder = temporaryFolder('search-visibility-mail-');
		const shown: string[] = [];
		const { port, close } = await openInbox(folder, (line) => void shown.push(line));
		const transport = createTransport({ host: HOST, port, secure: false, ...(auth && { auth }) });
		const sent = { from: 'n8n@example.com', to: 'you@example.com' };
		await transport.sendMail({ ...sent, subject: 'Grüner Tee', text: 'Two <new> pages\nand more' });
		await transport.sendMail({ ...sent, subject: 'A digest', text: 'plain', html: '<b>Grün</b>' });
		await transport.sendMail({ ...sent, subject: 'Only a page', html: '<p>Eight pages</p>' });
		close();
		const files = shown.flatMap((line) => /To open it: (.*)/.exec(line)?.[1] ?? []);
		expect(shown.filter((line) => !line.includes('To open it'))).toEqual([
			'✉  Grüner Tee (to you@example.com)',
			'   Two <new> pages\n   and more',
			'✉  A digest (to you@example.com)',
			'   plain',
			'✉  Only a page (to you@example.com)',
			'   Eight pages',
		]);
		const [text = '', both, page] = files.map((file) => readFileSync(file, 'utf8'));
		expect(text).toMatch(/^<!doctype html><meta charset="utf-8">.*Two &lt;new> pages/);
		expect(both).toContain('<b>Grün</b>');
		expect(page).toContain('<p>Eight pages</p>');
		removeFolder(folder);
	},
);
