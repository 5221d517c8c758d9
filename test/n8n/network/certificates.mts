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
	/** Path of its certificate, for NODE_EXTRA_CA_CERTS */
	file: string;
	issue(options?: CertificateOptions): Certificate;
}

type Keys = forge.pki.rsa.KeyPair;

let serial = 1;

/** Creates a certificate authority. Its file is removed when this process ends. */
export function makeAuthority(): Authority {
	const keys = forge.pki.rsa.generateKeyPair(2048);
	const root = unsigned('Test Authority', keys, {});
	root.setExtensions([
		{ name: 'basicConstraints', cA: true, critical: true },
		{ name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
	]);
	root.setIssuer(root.subject.attributes);
	root.sign(keys.privateKey, forge.md.sha256.create());
	const own = pem(keys, root);
	const file = join(temporaryFolder('network-authority-'), 'authority.pem');
	writeFileSync(file, own.cert);
	return { ...own, file, issue: (options) => issue(options, { certificate: root, keys }) };
}

/** Creates a certificate that is signed only by itself. */
export const makeSelfSigned = (options?: CertificateOptions): Certificate => issue(options);

/** @param by the authority that signs it; if missing, it is self-signed */
function issue(
	options: CertificateOptions = {},
	by?: { certificate: forge.pki.Certificate; keys: Keys },
): Certificate {
	const keys = forge.pki.rsa.generateKeyPair(2048);
	const leaf = unsigned(by ? 'Service' : 'Self-signed', keys, options);
	leaf.setIssuer((by?.certificate ?? leaf).subject.attributes);
	leaf.sign((by?.keys ?? keys).privateKey, forge.md.sha256.create());
	return pem(keys, leaf);
}

function unsigned(
	commonName: string,
	keys: Keys,
	{ names = ['127.0.0.1', 'localhost'], from = -1, until = 1 }: CertificateOptions,
): forge.pki.Certificate {
	const certificate = forge.pki.createCertificate();
	certificate.publicKey = keys.publicKey;
	certificate.serialNumber = (serial++).toString(16).padStart(4, '0');
	certificate.validity.notBefore = inDays(from);
	certificate.validity.notAfter = inDays(until);
	certificate.setSubject([{ name: 'commonName', value: commonName }]);
	certificate.setExtensions([{ name: 'subjectAltName', altNames: names.map(alternative) }]);
	return certificate;
}

/** The numbers come from RFC 5280: 2 is a host name, 7 an IP address. */
const alternative = (name: string) =>
	/^[\d.]+$|:/.test(name) ? { type: 7, ip: name } : { type: 2, value: name };

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000);

const pem = ({ privateKey }: Keys, certificate: forge.pki.Certificate): Certificate => ({
	key: forge.pki.privateKeyToPem(privateKey),
	cert: forge.pki.certificateToPem(certificate),
});
