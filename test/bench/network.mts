import { generateKeyPairSync, sign } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Stands before a server like a network: every byte takes half of the latency, each way, and a connection takes one
 * round trip before its first byte leaves.
 * @param latency milliseconds of a round trip
 * @returns the port to use in place of the server's
 */
export async function startRelay(port: number, latency: number): Promise<number> {
	const relay = createServer((client) => {
		const server = connect(port, '127.0.0.1');
		const isConnected = performance.now() + latency;
		forward(client, server, () => Math.max(performance.now(), isConnected) + latency / 2);
		forward(server, client, () => performance.now() + latency / 2);
	});
	await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
	return (relay.address() as AddressInfo).port;
}

function forward(from: Socket, to: Socket, arrival: () => number): void {
	let last = Promise.resolve();
	const later = (deliver: () => unknown) => {
		const at = arrival();
		last = last.then(() => sleep(at - performance.now())).then(() => void deliver());
	};
	from.setNoDelay();
	from.on('data', (chunk) => later(() => to.write(chunk)));
	from.on('end', () => later(() => to.end()));
	from.on('error', () => to.destroy());
}

/** @returns a key, and a certificate of it for 127.0.0.1 that it signed itself, made for this run */
export function selfSigned(): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const ecdsaWithSha256 = sequence(bytes(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
	const commonName = sequence(bytes(0x06, [0x55, 0x04, 0x03]), bytes(0x0c, '127.0.0.1'));
	const name = sequence(bytes(0x31, commonName));
	const certificate = sequence(
		bytes(0x02, [1]),
		ecdsaWithSha256,
		name,
		sequence(bytes(0x18, '20200101000000Z'), bytes(0x18, '20991231235959Z')),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = Buffer.concat([Buffer.of(0), sign('sha256', certificate, privateKey)]);
	const der = sequence(certificate, ecdsaWithSha256, bytes(0x03, signature));
	const cert = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
	return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, cert };
}

/** One value in DER: its tag, its length, its content. */
function bytes(tag: number, content: number[] | string | Buffer): Buffer {
	const value = Buffer.from(content as string);
	const { length } = value;
	const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

const sequence = (...parts: Buffer[]) => bytes(0x30, Buffer.concat(parts));
