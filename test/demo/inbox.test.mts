import { readFileSync } from 'node:fs';

import { createTransport } from 'nodemailer';
import { expect, it } from 'vitest';

import { removeFolder, temporaryFolder } from '../processes.mts';
import { openMailbox, openUrl } from './inbox.mts';

it.each([
	['with a password', { user: 'anybody', pass: 'anything' }],
	['without one', undefined],
])('the inbox of the demo takes a mail %s, shows it, and saves it as a page', async (_, auth) => {
	const folder = temporaryFolder('search-visibility-mail-');
	const shown: string[] = [];
	const inbox = await openMailbox(folder, (line) => void shown.push(line));
	const { host, port } = inbox;
	const transport = createTransport({ host, port, secure: false, ...(auth && { auth }) });
	const sent = { from: 'n8n@example.com', to: 'you@example.com' };
	await transport.sendMail({ ...sent, subject: 'Grüner Tee', text: 'Two <new> pages\nand more' });
	await transport.sendMail({ ...sent, subject: 'A digest', text: 'plain', html: '<b>Grün</b>' });
	await inbox.close();
	expect(inbox.mails.map(({ subject, text }) => [subject, text.trim()])).toEqual([
		['Grüner Tee', 'Two <new> pages\nand more'],
		['A digest', 'plain'],
	]);
	const [first = '', second = ''] = inbox.mails.map(({ file }) => readFileSync(file, 'utf8'));
	expect(first).toMatch(/^<!doctype html><meta charset="utf-8">.*Two &lt;new&gt; pages/);
	expect(second).toContain('<b>Grün</b>');
	expect(shown[0]).toBe('✉  Grüner Tee  (from n8n@example.com to you@example.com)');
	expect(shown.join('\n')).toContain(inbox.mails[0]?.file);
	removeFolder(folder);
});

it('the inbox of the demo shows what is sent to its URL', async () => {
	const shown: string[] = [];
	const inbox = await openUrl((line) => void shown.push(line));
	await fetch(inbox.url, { method: 'POST', body: 'A new page' });
	inbox.close();
	expect(shown).toEqual(['✉  A new page']);
});
