import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import express from 'express';

import { listen, NAME, pack } from './helpers.mts';
import { temporaryFolder } from '../processes.mts';

/** The public registry: n8n uses another one only with a licence. */
const PUBLIC = 'registry.npmjs.org';

/** What its owner publishes with. */
const TOKEN = 'stand-in';

/**
 * A stand-in for the public npm registry, with this package only. n8n and npm reach it through a proxy, as in a company;
 * no other host can be reached there.
 */
export async function startRegistry() {
	const folder = temporaryFolder('registry-');
	const content = new Map<string, object>();
	const versions: Record<string, object> = {};
	const tags: Record<string, string> = {};

	/** A version becomes the one of a tag, and is what people get who ask for that tag. */
	const add = (version: string, manifest: object, tag: string, tarball: Buffer): void => {
		const path = `/${NAME}/-/${NAME}-${version}.tgz`;
		versions[version] = { ...manifest, dist: { tarball: `https://${PUBLIC}${path}` } };
		content.set(path, tarball).set(`/${NAME}/${version}`, versions[version]);
		// The first version of a package is always the latest as well
		for (const one of 'latest' in tags ? [tag] : [tag, 'latest']) {
			tags[one] = version;
			content.set(`/${NAME}/${one}`, versions[version]);
		}
		content.set(`/${NAME}`, { name: NAME, 'dist-tags': tags, versions });
	};

	const app = express();
	// What "npm publish" sends
	app.put(`/${NAME}`, express.json({ limit: '5mb' }), ({ body, headers }, response) => {
		if (headers.authorization !== `Bearer ${TOKEN}`) return void response.sendStatus(401);
		// What "npm deprecate" sends: all that is known, with a word on some versions
		if (!body._attachments) {
			for (const [one, { deprecated }] of Object.entries<{ deprecated?: string }>(body.versions))
				Object.assign(versions[one] ?? {}, deprecated && { deprecated });
			return void response.status(200).send({ ok: true });
		}
		const [[tag, version]] = Object.entries(body['dist-tags']) as [[string, string]];
		if (version in versions) return void response.sendStatus(409);
		const [{ data }] = Object.values(body._attachments) as [{ data: string }];
		add(version, body.versions[version], tag, Buffer.from(data, 'base64'));
		response.status(201).send({ ok: true });
	});
	app.use(({ path }, response) => {
		const found = content.get(path);
		response.status(found ? 200 : 404).send(found ?? { error: 'Not found' });
	});

	const key = join(folder, 'key.pem');
	const cafile = join(folder, 'certificate.pem');
	const names = ['-subj', `/CN=${PUBLIC}`, '-addext', `subjectAltName=DNS:${PUBLIC}`];
	const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names];
	execFileSync('openssl', ['req', ...options, '-keyout', key, '-out', cafile], { stdio: 'pipe' });
	const tls = { key: readFileSync(key), cert: readFileSync(cafile) };
	const { port, hostname } = new URL(await listen(createSecure(tls, app)));

	const proxy = createServer();
	proxy.on('connect', ({ url }, socket: Socket) => {
		if (url !== `${PUBLIC}:443`) return void socket.end('HTTP/1.1 502 No\r\n\r\n');
		const onward = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
		for (const one of [socket, onward]) one.on('error', () => socket.destroy());
		socket.pipe(onward).pipe(socket);
	});
	const https_proxy = await listen(proxy);

	// What it says about the package must not stay in the cache of this user
	const npm = { https_proxy, cafile, cache: join(folder, 'cache') };
	return {
		/** Which version people get who ask for a tag, such as `latest` */
		tags,
		/** What is in the registry under a path, such as the file of a version */
		content: (path: string) => content.get(path),
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
		/** The lines of an `.npmrc` with which "npm publish" may publish there, and nowhere else */
		login: `registry=https://${PUBLIC}/\n//${PUBLIC}/:_authToken=${TOKEN}\n`,
		/** Publishes this package under a version, which becomes the latest. */
		publish: async (version: string): Promise<void> => {
			const cwd = temporaryFolder('registry-pack-');
			execFileSync('tar', ['-xzf', await pack(cwd)], { cwd });
			const file = join(cwd, 'package', 'package.json');
			const packageJson = { ...JSON.parse(readFileSync(file, 'utf8')), version };
			writeFileSync(file, JSON.stringify(packageJson));
			execFileSync('tar', ['-czf', 'changed.tgz', 'package'], { cwd });
			add(version, packageJson, 'latest', readFileSync(join(cwd, 'changed.tgz')));
		},
	};
}
