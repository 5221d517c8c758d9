import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

import express from 'express';

import { kept, NAME, pack } from './helpers.mts';
import { HOST } from './instance.mts';
import { temporaryFolder } from '../processes.mts';

/** The public registry: n8n uses another one only with a licence. */
const PUBLIC = 'registry.npmjs.org';

async function listening<T extends Server>(server: T): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
	kept(server);
	return (server.address() as AddressInfo).port;
}

/**
 * A stand-in for the public npm registry, with this package only. n8n and npm reach it through a proxy, as in a company;
 * no other host can be reached there.
 */
export async function startRegistry() {
	const folder = temporaryFolder('registry-');
	const content = new Map<string, object>();
	const app = express().use(({ path }, response) => {
		const found = content.get(path);
		response.status(found ? 200 : 404).send(found ?? { error: 'Not found' });
	});

	const [key, cafile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
	const names = ['-subj', `/CN=${PUBLIC}`, '-addext', `subjectAltName=DNS:${PUBLIC}`];
	const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names];
	execFileSync('openssl', ['req', ...options, '-keyout', key, '-out', cafile], { stdio: 'pipe' });
	const tls = { key: readFileSync(key), cert: readFileSync(cafile) };
	const port = await listening(createSecure(tls, app));

	const proxy = createServer();
	proxy.on('connect', ({ url }, socket: Socket) => {
		if (url !== `${PUBLIC}:443`) return void socket.end('HTTP/1.1 502 No\r\n\r\n');
		const onward = connect(port, HOST, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
		for (const one of [socket, onward]) one.on('error', () => socket.destroy());
		socket.pipe(onward).pipe(socket);
	});
	const https_proxy = `http://${HOST}:${await listening(proxy)}`;

	// What it says about the package must not stay in the cache of this user
	const npm = { https_proxy, cafile, cache: join(folder, 'cache') };
	const versions: Record<string, object> = {};
	return {
		/** With this environment, n8n and the npm that it runs reach the registry. */
		env: {
			HTTPS_PROXY: https_proxy,
			NODE_EXTRA_CA_CERTS: cafile,
			...Object.fromEntries(Object.entries(npm).map(([name, one]) => [`npm_config_${name}`, one])),
		},
		/** The same as a file, because n8n 1 looks for updates without its environment */
		npmrc: Object.entries(npm)
			.map(([name, value]) => `${name.replace('_', '-')}=${value}\n`)
			.join(''),
		/** Publishes this package under a version, which becomes the latest. */
		publish: async (version: string): Promise<void> => {
			const cwd = temporaryFolder('registry-pack-');
			execFileSync('tar', ['-xzf', await pack(cwd)], { cwd });
			const file = join(cwd, 'package', 'package.json');
			const packageJson = { ...JSON.parse(readFileSync(file, 'utf8')), version };
			writeFileSync(file, JSON.stringify(packageJson));
			execFileSync('tar', ['-czf', 'changed.tgz', 'package'], { cwd });
			const path = `/${NAME}/-/${NAME}-${version}.tgz`;
			const manifest = { ...packageJson, dist: { tarball: `https://${PUBLIC}${path}` } };
			versions[version] = manifest;
			content.set(path, readFileSync(join(cwd, 'changed.tgz')));
			content.set(`/${NAME}/latest`, manifest).set(`/${NAME}/${version}`, manifest);
			content.set(`/${NAME}`, { name: NAME, 'dist-tags': { latest: version }, versions });
		},
	};
}
