import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import express from 'express';

import { pack } from './helpers.mts';
import { makeAuthority } from './network/certificates.mts';
import { listening, startProxy, startTls } from './network/servers.mts';
import { removeFolder, runNpm, temporaryFolder } from '../processes.mts';

/** The public registry: n8n uses another one only with a licence. */
const HOST = 'registry.npmjs.org';

/** A stand-in for the public npm registry, behind a proxy through which no other host can be reached. */
export type Registry = Awaited<ReturnType<typeof startRegistry>>;

export async function startRegistry() {
	const content = new Map<string, object>();
	const served: string[] = [];
	const app = express().use(({ path }, response) => {
		const found = content.get(path);
		if (found) served.push(path);
		// The editor asks it too
		response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache' });
		response.status(found ? 200 : 404).send(found ?? { error: 'Not found' });
	});
	const authority = makeAuthority();
	const plain = await listening(createServer(app));
	const secure = await startTls(authority.issue([HOST]), plain.port);
	const proxy = await startProxy({ [`${HOST}:443`]: secure.port });
	// What it says about the package must not stay in the cache of this user
	const cache = temporaryFolder('registry-cache-');
	const npm = { https_proxy: proxy.url, cafile: authority.file, cache };
	const versions: Record<string, object> = {};
	return {
		proxy,
		/** Paths of what it had */
		served,
		/** With this environment, n8n and the npm that it runs reach the registry. */
		env: {
			HTTP_PROXY: proxy.url,
			HTTPS_PROXY: proxy.url,
			NODE_EXTRA_CA_CERTS: authority.file,
			...Object.fromEntries(
				Object.entries(npm).map(([name, value]) => [`npm_config_${name}`, value]),
			),
		},
		/** The same as a file, because n8n 1 looks for updates without its environment */
		npmrc: Object.entries(npm)
			.map(([name, value]) => `${name.replace('_', '-')}=${value}`)
			.join('\n'),
		/** Publishes this package under a version, which becomes the latest. */
		publish: async (version: string): Promise<void> => {
			const folder = temporaryFolder('registry-pack-');
			execFileSync('tar', ['-xzf', await pack(folder), '-C', folder]);
			const cwd = join(folder, 'package');
			const file = join(cwd, 'package.json');
			const packageJson = { ...JSON.parse(readFileSync(file, 'utf8')), version };
			const { name } = packageJson;
			writeFileSync(file, JSON.stringify(packageJson));
			await runNpm(['pack', '--ignore-scripts'], { cwd });
			const tarball = readFileSync(join(cwd, `${name}-${version}.tgz`));
			removeFolder(folder);
			const path = `/${name}/-/${name}-${version}.tgz`;
			const hash = (algorithm: string) => createHash(algorithm).update(tarball);
			const integrity = `sha512-${hash('sha512').digest('base64')}`;
			const shasum = hash('sha1').digest('hex');
			const dist = { tarball: `https://${HOST}${path}`, integrity, shasum };
			const manifest = { ...packageJson, dist };
			versions[version] = manifest;
			content.set(path, tarball);
			content.set(`/${name}/latest`, manifest);
			content.set(`/${name}`, { name, 'dist-tags': { latest: version }, versions });
		},
		close: async (): Promise<void> => {
			await Promise.all([proxy.close(), secure.close(), plain.close()]);
			removeFolder(cache);
		},
	};
}
