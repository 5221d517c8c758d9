import type { IDataObject } from 'n8n-workflow';

import { parametersOf } from '../../nodes/SearchVisibility/parameters.ts';
import { RESOURCES } from '../../nodes/SearchVisibility/resources/index.ts';
import { PARAMETERS } from '../../nodes/SearchVisibilityTrigger/parameters.ts';
import type { Parameter } from '../../nodes/shared/parameters/parameter.ts';
import { readParameters } from '../../nodes/shared/parameters/readParameters.ts';

/* How the time grows that a parameter takes with the length of its text. A regex that goes back and forth grows with the square. */

const MEGABYTE = 1_000_000;
/** How many times shorter the short text is */
const SHORTER = 16;
/** A linear reader grows by 16, or a few times that where the cache of the processor ends; a quadratic one grows by 256 */
const MOST_GROWTH = 128;
/** In milliseconds; below it, the clock and other work on the machine say more than the reader */
const MEASURABLE = 5;
/** The longest time to read 1 MB or to refuse it, in milliseconds */
const LONGEST = 100;
const TRIES = 3;

/** What a text is filled with; each begins and ends in three ways. */
const FILLERS = [
	' ',
	'\t',
	'\n',
	'\u200b',
	'\u0301',
	'a',
	'1',
	'.',
	'a.',
	'xn--.',
	',',
	'a,',
	'- ',
	'/',
	'["',
	'{{',
	'%',
];
const ENDS: Array<[before: string, after: string]> = [
	['', ''],
	['x', 'x'],
	['https://a.example/', 'x'],
];

function textsOf(length: number): string[] {
	return FILLERS.flatMap((filler) =>
		ENDS.map(
			([before, after]) => before + filler.repeat(Math.ceil(length / filler.length)) + after,
		),
	);
}

/** @returns a field for each way in which the nodes read text, those in collections too */
function textFields(): Parameter[] {
	const operations = RESOURCES.flatMap((resource) => resource.operations);
	const all = [...operations.flatMap((operation) => parametersOf(operation)), ...PARAMETERS];
	const inside = all.flatMap((parameter) => parameter.parameters ?? [parameter]);
	const read = inside.filter(({ property }) => property.type !== 'notice');
	// Many parameters are read by the same code
	const readers = read.map(
		(parameter) => [`${parameter.property.type} ${String(parameter.check)}`, parameter] as const,
	);
	return [...new Map(readers).values()];
}

/** @returns how long the field takes to read the text or to refuse it, in milliseconds */
function timeOf({ when: _when, ...parameter }: Parameter, text: string): number {
	const raw =
		parameter.property.type === 'resourceLocator' ? { __rl: true, mode: 'id', value: text } : text;
	const times = Array.from({ length: TRIES }, () => {
		const values: IDataObject = {};
		const start = performance.now();
		try {
			readParameters([parameter], () => raw, { values, put: () => {} });
		} catch (error) {
			// The class is loaded twice here, so `instanceof` would not do
			if (!(error instanceof Error && 'problem' in error)) throw error;
		}
		return performance.now() - start;
	});
	return Math.min(...times);
}

/** @returns whether a parameter is slow, or grows faster than its text, after it has printed the slowest and the one that grows fastest */
export function isInputSlow(): boolean {
	const long = textsOf(MEGABYTE);
	const short = textsOf(MEGABYTE / SHORTER);
	let slowest = { time: 0, name: '' };
	let fastestGrowing = { growth: 0, name: '' };
	const parameters = textFields();
	for (const parameter of parameters) {
		const { displayName } = parameter.property;
		for (const [index, text] of long.entries()) {
			const time = timeOf(parameter, text);
			const name = `${displayName}, ${JSON.stringify(text.slice(0, 24))}`;
			if (time > slowest.time) slowest = { time, name };
			if (time < MEASURABLE) continue;
			const growth = time / timeOf(parameter, short[index] ?? '');
			if (growth > fastestGrowing.growth) fastestGrowing = { growth, name };
		}
	}
	console.log(
		`${parameters.length} kinds of parameters with 1 MB of text, ${long.length} texts each`,
	);
	const isSlow = slowest.time >= LONGEST;
	console.log(
		`slowest: ${slowest.time.toFixed(0)} ms (${slowest.name})  less than ${LONGEST}  ${isSlow ? 'MISSED' : 'ok'}`,
	);
	const verdict = fastestGrowing.growth > MOST_GROWTH ? 'MISSED' : 'ok';
	console.log(
		`grows ${fastestGrowing.growth.toFixed(0)} times with a text ${SHORTER} times as long (${fastestGrowing.name})  at most ${MOST_GROWTH}  ${verdict}`,
	);
	return isSlow || fastestGrowing.growth > MOST_GROWTH;
}
