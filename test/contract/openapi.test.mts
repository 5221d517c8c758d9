import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { assumptionsOf, contract } from './document.mts';
import { contractTypes, TYPES_FILE } from './types.mts';

/** contract/openapi.yaml: files that are generated from it, and files that must agree with it. */

it('the types are those of the contract (npm run generate writes them)', async () => {
	expect(readFileSync(TYPES_FILE, 'utf8')).toBe(await contractTypes());
}, 60_000);

it('the contract gives for each assumption the section, what is open, and what is assumed', () => {
	const assumptions = assumptionsOf(contract);
	expect(assumptions.length).toBeGreaterThan(50);
	for (const { place, text } of assumptions) {
		expect(text, place).toMatch(/^\d+(\.\d+)?(, \d+(\.\d+)?)*: [^;]+; [^;]+$/);
	}
});
