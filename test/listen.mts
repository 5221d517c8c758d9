import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lets a server listen, on this machine only. */
export async function listen(server: Server, port = 0) {
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { host, url: `http://${host}`, close };
}
