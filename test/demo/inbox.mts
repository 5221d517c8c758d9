import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openMailbox } from '../n8n/mailbox.mts';
import type { Log } from '../processes.mts';

/**
 * Opens a mailbox for what would otherwise need an account: it prints each email, and saves it as a page.
 * @param folder where the pages are saved
 */
export async function openInbox(folder: string, log: Log) {
	let count = 0;
	// Without options, an email that is only a page has its text too
	return await openMailbox(({ to, subject, text, html }) => {
		const file = join(folder, `mail-${++count}.html`);
		const page = html || `<pre>${text.replaceAll('<', '&lt;')}</pre>`;
		writeFileSync(file, `<!doctype html><meta charset="utf-8">${page}`);
		log(`✉  ${subject} (to ${to})`);
		log(text.trim().replaceAll(/^/gm, '   '));
		log(`   To open it: ${file}`);
	}, {});
}
