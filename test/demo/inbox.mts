import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

import type { Log } from '../processes.mts';

/** Where messages arrive that would otherwise need an account: a mailbox for SMTP, and a URL in place of Slack. */

const HOST = '127.0.0.1';

export interface Mail {
	subject: string;
	text: string;
	/** A page to open in a browser */
	file: string;
}

const listening = async (server: Server): Promise<number> => {
	await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
	return (server.address() as AddressInfo).port;
};

/**
 * Receives every mail, from anybody and to anybody; tells of each and saves it as a page.
 * @param folder where the pages are saved
 */
export async function openMailbox(folder: string, log: Log) {
	const mails: Mail[] = [];
	const receive = async (stream: NodeJS.ReadableStream) => {
		const {
			subject = 'no subject',
			from,
			to,
			text: plain = '',
			html,
			textAsHtml,
		} = await simpleParser(stream as Parameters<typeof simpleParser>[0]);
		const file = join(folder, `mail-${mails.length + 1}.html`);
		writeFileSync(file, `<!doctype html><meta charset="utf-8">${html || textAsHtml || ''}`);
		mails.push({ subject, text: plain, file });
		const receiver = [to ?? []].flat().map((one) => one.text);
		log(`✉  ${subject}  (from ${from?.text} to ${receiver.join(', ')})`);
		log(plain.trim().replaceAll(/^/gm, '   '));
		log(`   To open it: ${file}`);
	};
	// A user name and a password may be entered, and none is needed
	const smtp = new SMTPServer({
		...{ authOptional: true, allowInsecureAuth: true, disabledCommands: ['STARTTLS'] },
		onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
		onData: (stream, _session, done) => void receive(stream).then(() => done(), done),
	});
	const port = await listening(smtp.server);
	const close = async () => await new Promise<void>((resolve) => smtp.close(resolve));
	return { host: HOST, port, mails, close };
}

/** Tells of what is sent to a URL. */
export async function openUrl(log: Log) {
	const server = createServer((request, response) => {
		void text(request).then((message) => {
			log(`✉  ${message}`);
			response.end('{}');
		});
	});
	const url = `http://${HOST}:${await listening(server)}`;
	return { url, close: () => void server.close().closeAllConnections() };
}
