import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Simulates a network in front of a server: every byte takes half of the latency each way, and a connection takes one
 * round trip before its first byte leaves.
 * @param latency milliseconds of a round trip
 * @returns the port to use instead of the server's
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
