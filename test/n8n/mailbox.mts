import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';

import type { Json } from './client.mts';
import { HOST } from './instance.mts';

/** An email as it arrived, in both its forms. */
export interface Email {
	subject: string;
	to: string;
	html: string;
	text: string;
}

/** A mail server on this machine that takes every email, or refuses them all. */
export class Mailbox {
	/** Whether it refuses what comes, as a server that is out of order does */
	isBroken = false;
	port = 0;
	private raw: string[] = [];
	private readonly server = createServer((socket) => this.talk(socket));

	static async open(): Promise<Mailbox> {
		const mailbox = new Mailbox();
		const { server } = mailbox;
		await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
		mailbox.port = (server.address() as AddressInfo).port;
		return mailbox;
	}

	/** @param n8nBin the n8n whose own dependency reads emails */
	async emails(n8nBin: string): Promise<Email[]> {
		const { simpleParser } = createRequire(n8nBin)('mailparser') as Json;
		return await Promise.all(
			this.raw.map(async (raw) => {
				const { subject, to, html, text } = await simpleParser(raw, { skipHtmlToText: true });
				return { subject, to: to.text, html: html || '', text: text ?? '' };
			}),
		);
	}

	clear(): void {
		this.raw = [];
		this.isBroken = false;
	}

	close(): void {
		this.server.close();
	}

	/** Speaks as much SMTP as an email needs. */
	private talk(socket: Socket): void {
		const say = (line: string) => void socket.write(`${line}\r\n`);
		let received = '';
		let isData = false;
		socket.on('error', () => socket.destroy());
		socket.on('data', (chunk) => {
			received += chunk.toString('latin1');
			for (;;) {
				const end = received.indexOf(isData ? '\r\n.\r\n' : '\r\n');
				if (end < 0) return;
				const part = received.slice(0, end);
				received = received.slice(end + (isData ? 5 : 2));
				if (isData) {
					this.raw.push(part.replaceAll('\r\n..', '\r\n.'));
					isData = false;
					say('250 Taken');
				} else if (/^MAIL/i.test(part) && this.isBroken) say('451 Out of order');
				else if (/^DATA/i.test(part)) {
					isData = true;
					say('354 Go on');
				} else if (/^QUIT/i.test(part)) {
					say('221 Bye');
					socket.end();
				} else say('250 mail.example');
			}
		});
		say('220 mail.example');
	}
}
