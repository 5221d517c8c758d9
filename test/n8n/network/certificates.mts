import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import forge from 'node-forge';

import { temporaryFolder } from '../processes.mts';

/** A key and its certificate, as PEM. */
export interface Certificate {
	key: string;
	cert: string;
}

export interface CertificateOptions {
	/** Host names and IP addresses for which it is valid */
	names?: string[];
	/** Start and end of its validity, in days from now */
	from?: number;
	until?: number;
}

/** A certificate authority like those of companies, which no system trusts by default. */
export interface Authority extends Certificate {
	/** Path of its certificate, for NODE_EXTRA_CA_CERTS; the file is removed when this process ends */
	file: string;
	issue(options?: CertificateOptions): Certificate;
}

interface Signer {
	certificate: forge.pki.Certificate;
	privateKey: forge.pki.rsa.PrivateKey;
}

const AUTHORITY = [
	{ name: 'basicConstraints', cA: true, critical: true },
	{ name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
];

let serial = 1;

export function makeAuthority(): Authority {
	const { signer, ...own } = make('Test Authority', {}, undefined, AUTHORITY);
	const file = join(temporaryFolder('network-authority-'), 'authority.pem');
	writeFileSync(file, own.cert);
	return { ...own, file, issue: (options = {}) => make('Service', options, signer) };
}

/** A certificate that is signed only by itself. */
export const makeSelfSigned = (): Certificate => make('Self-signed', {});

/** @param by the authority that signs it; if missing, it is self-signed */
function make(
	commonName: string,
	{ names = ['127.0.0.1', 'localhost'], from = -1, until = 1 }: CertificateOptions,
	by?: Signer,
	extensions: object[] = [{ name: 'subjectAltName', altNames: names.map(alternative) }],
): Certificate & { signer: Signer } {
	const { privateKey, publicKey } = forge.pki.rsa.generateKeyPair(2048);
	const certificate = forge.pki.createCertificate();
	certificate.publicKey = publicKey;
	certificate.serialNumber = (serial++).toString(16).padStart(4, '0');
	certificate.validity.notBefore = inDays(from);
	certificate.validity.notAfter = inDays(until);
	certificate.setSubject([{ name: 'commonName', value: commonName }]);
	certificate.setExtensions(extensions);
	certificate.setIssuer((by?.certificate ?? certificate).subject.attributes);
	certificate.sign(by?.privateKey ?? privateKey, forge.md.sha256.create());
	return {
		key: forge.pki.privateKeyToPem(privateKey),
		cert: forge.pki.certificateToPem(certificate),
		signer: { certificate, privateKey },
	};
}

/** The numbers come from RFC 5280: 2 is a host name, 7 an IP address. */
const alternative = (name: string) =>
	/^[\d.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name };

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000);
