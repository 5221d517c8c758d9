import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { versions } from './files.mts';

it('every release in the changelog is frozen, so that later ones are compared with it', () => {
	const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
	const released = [...changelog.matchAll(/^## \[(\d[^\]]*)\]/gm)].map(([, version]) => version);
	expect(versions().sort()).toEqual(released.sort());
});
