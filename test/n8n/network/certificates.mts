import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import forge from 'node-forge';

import { temporaryFolder } from '../../processes.mts';

/** A key and its certificate, as PEM. */
export interface Certificate {
	key: string;
	cert: string;
}

/** A certificate authority like those of companies, which no system trusts by default. */
export interface Authority {
	/** Path of its certificate, for NODE_EXTRA_CA_CERTS; the file is removed when this process ends */
	file: string;
	/** @param names host names and IP addresses for which the certificate is valid */
	issue(names?: string[]): Certificate;
}

const EXTENSIONS = [
	{ name: 'basicConstraints', cA: true, critical: true },
	{ name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
];

let serial = 1;

export function makeAuthority(): Authority {
	const { keys, certificate } = unsigned('Test Authority', EXTENSIONS);
	const { attributes } = certificate.subject;
	certificate.setIssuer(attributes);
	const sign = (one: forge.pki.Certificate) => {
		one.sign(keys.privateKey, forge.md.sha256.create());
		return forge.pki.certificateToPem(one);
	};
	const file = join(temporaryFolder('network-authority-'), 'authority.pem');
	writeFileSync(file, sign(certificate));
	const issue = (names = ['127.0.0.1', 'localhost']) => {
		const altNames = names.map(alternative);
		const leaf = unsigned('Service', [{ name: 'subjectAltName', altNames }]);
		leaf.certificate.setIssuer(attributes);
		const key = forge.pki.privateKeyToPem(leaf.keys.privateKey);
		return { key, cert: sign(leaf.certificate) };
	};
	return { file, issue };
}

function unsigned(commonName: string, extensions: object[]) {
	const keys = forge.pki.rsa.generateKeyPair(2048);
	const certificate = forge.pki.createCertificate();
	certificate.publicKey = keys.publicKey;
	certificate.serialNumber = (serial++).toString(16).padStart(4, '0');
	certificate.validity.notBefore = inDays(-2);
	certificate.validity.notAfter = inDays(1);
	certificate.setSubject([{ name: 'commonName', value: commonName }]);
	certificate.setExtensions(extensions);
	return { keys, certificate };
}

/** The numbers come from RFC 5280: 2 is a host name, 7 an IP address. */
const alternative = (name: string) =>
	/^[\d.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name };

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000);
