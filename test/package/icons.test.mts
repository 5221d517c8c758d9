import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { FOLDER } from './packed.mts';

/**
 * WCAG 2.2, 1.4.11: the parts needed to understand a graphic have a contrast of at least 3 to 1 with their background.
 */
const LEAST = 3;

/** The backgrounds of icons in n8n 2.41.1, from the style sheets of its editor (--color--neutral-… as sRGB). */
const BACKGROUNDS: Record<'light' | 'dark', Record<string, string>> = {
	light: {
		canvas: '#f5f5f5',
		'node, nodes panel, dialog': '#ffffff',
		'second background': '#fafafa',
		hovered: '#f0f0f0',
		'selected, disabled': '#e5e5e5',
	},
	dark: {
		canvas: '#171717',
		node: '#2b2b2b',
		'nodes panel, dialog': '#262626',
		'disabled, subtle': '#323232',
		'node while it runs': '#444444',
	},
};

const icons = readdirSync(join(FOLDER, 'icons')).map((name) => ({
	name,
	theme: name.endsWith('.dark.svg') ? ('dark' as const) : ('light' as const),
	svg: readFileSync(join(FOLDER, 'icons', name), 'utf8'),
}));

/** @returns the colors in which shapes are painted */
const coloursOf = (svg: string) => [
	...new Set(
		[...svg.matchAll(/\b(?:fill|stroke)="([^"]+)"/g)]
			.map(([, value = '']) => value)
			.filter((value) => value !== 'none'),
	),
];

/** Relative luminance of a color such as #1f4fd8. */
function luminance(colour: string): number {
	if (!/^#[\da-f]{6}$/i.test(colour)) throw new Error(`Not a colour that can be judged: ${colour}`);
	const part = (at: number) => {
		const share = parseInt(colour.slice(at, at + 2), 16) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	};
	return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

function contrast(one: string, other: string): number {
	const both = [luminance(one), luminance(other)];
	return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
}

it('contrast is calculated as in WCAG', () => {
	expect(contrast('#000000', '#ffffff')).toBe(21);
	expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

it('there is one icon for each theme', () => {
	expect(icons.map(({ theme }) => theme).sort()).toEqual(['dark', 'light']);
});

describe.each(icons)('$name', ({ svg, theme }) => {
	it('has colors that can be checked, and no way around them', () => {
		expect(coloursOf(svg).length).toBeGreaterThan(0);
		expect(svg).not.toMatch(/opacity|gradient|<style|style=|currentColor|filter/i);
	});

	const pairs = coloursOf(svg).flatMap((colour) =>
		Object.entries(BACKGROUNDS[theme]).map(([where, background]) => ({
			colour,
			where,
			background,
		})),
	);
	it.each(pairs)('$colour stands out from $background ($where)', ({ colour, background }) => {
		expect(contrast(colour, background)).toBeGreaterThanOrEqual(LEAST);
	});
});
