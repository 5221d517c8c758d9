import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

import { HOST } from './instance.mts';

/** An email as it arrived, in both its forms. */
export interface Email {
	subject: string;
	html: string;
	text: string;
}

/** Opens a mail server on this machine that takes every email, or refuses them all while `isBroken`. */
export async function openMailbox(onEmail: (email: Email) => void = () => {}) {
	const emails: Email[] = [];
	const smtp = new SMTPServer({
		...{ authOptional: true, disabledCommands: ['STARTTLS'] },
		onMailFrom: (_address, _session, done) =>
			done(mailbox.isBroken ? new Error('Out of order') : null),
		onData: (stream, _session, done) =>
			void simpleParser(stream, { skipHtmlToText: true }).then(
				({ subject = '', html, text = '' }) => {
					const email = { subject, html: html || '', text };
					emails.push(email);
					onEmail(email);
					done();
				},
				done,
			),
	});
	await new Promise<void>((resolve) => smtp.listen(0, HOST, resolve));
	const mailbox = {
		/** In the order in which they arrived */
		emails,
		isBroken: false,
		port: (smtp.server.address() as AddressInfo).port,
		clear: () => {
			emails.length = 0;
			mailbox.isBroken = false;
		},
		close: () => smtp.close(),
	};
	return mailbox;
}
