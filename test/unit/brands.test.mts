import { expect, it } from 'vitest';

import type { Reads } from '../../nodes/SearchVisibility/operation.ts';
import { brandsOf } from '../../nodes/SearchVisibility/resources/citedPage/brands.ts';

async function brandsWith(...competitors: Array<{ name: string; domain: string }>) {
	const hints: string[] = [];
	const reads = {
		workspace: async () =>
			await Promise.resolve({
				workspaceId: 'w',
				workspaceName: 'Marketing',
				brandName: 'Own',
				domain: 'own.example',
			}),
		competitors: async () => await Promise.resolve(competitors),
		hint: (hint: string) => void hints.push(hint),
	};
	const brands = await brandsOf(reads as Partial<Reads> as Reads);
	return { hints, names: brands.map(({ name }) => name) };
}

it('two tracked competitors of one site are one entry of a summary, and a hint names them', async () => {
	const { names, hints } = await brandsWith(
		{ name: 'X', domain: 'x.example' },
		{ name: 'Y', domain: 'y.example' },
		{ name: 'X again', domain: 'www.x.example' },
	);
	expect(names).toEqual(['Own', 'X', 'Y']);
	expect(hints).toEqual([
		"These tracked competitors are one entry in 'competitors', because they share the domain x.example: X, X again.",
	]);
});

it('competitors of different sites, also of one and its subdomain, are entries of their own without a hint', async () => {
	const { names, hints } = await brandsWith(
		{ name: 'X', domain: 'x.example' },
		{ name: 'Blog', domain: 'blog.x.example' },
	);
	expect(names).toEqual(['Own', 'X', 'Blog']);
	expect(hints).toEqual([]);
});
