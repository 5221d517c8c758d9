import type { AddressInfo } from 'node:net';
import { simpleParser, type SimpleParserOptions } from 'mailparser';
import { SMTPServer } from 'smtp-server';

import { HOST } from './instance.mts';

/** An email as it arrived, in both its forms. */
export interface Email {
	/** As the header has it */
	to: string;
	subject: string;
	html: string;
	text: string;
}

/**
 * Opens a mail server on this machine that takes every email, from anybody, or refuses them all while `isBroken`. While
 * `isSilent`, it takes them, and the sender never hears of it.
 * @param options by default, an email without plain text has none
 */
export async function openMailbox(
	onEmail: (email: Email) => void = () => {},
	options: SimpleParserOptions = { skipHtmlToText: true },
) {
	const emails: Email[] = [];
	const smtp = new SMTPServer({
		authOptional: true,
		allowInsecureAuth: true,
		disabledCommands: ['STARTTLS'],
		onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
		onMailFrom: (_address, _session, done) =>
			done(mailbox.isBroken ? new Error('Out of order') : null),
		onData: (stream, _session, done) =>
			void simpleParser(stream, options).then(({ to = [], subject = '', html, text = '' }) => {
				const addresses = [to].flat().map((address) => address.text);
				const email = { to: addresses.join(', '), subject, html: html || '', text };
				emails.push(email);
				onEmail(email);
				if (!mailbox.isSilent) done();
			}, done),
	});
	await new Promise<void>((resolve) => smtp.listen(0, HOST, resolve));
	const mailbox = {
		/** In the order in which they arrived */
		emails,
		isBroken: false,
		isSilent: false,
		port: (smtp.server.address() as AddressInfo).port,
		clear: () => {
			emails.length = 0;
			mailbox.isBroken = false;
			mailbox.isSilent = false;
		},
		close: () => smtp.close(),
	};
	return mailbox;
}
