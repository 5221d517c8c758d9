import type { Failure } from './audit.mts';

const LONGEST_WORDS = 90;
const MOST_FAILURES = 25;

/** Prints figures as a block: a heading and what was counted, one a line. */
export function printFigures(heading: string, figures: Record<string, string | number>): void {
	const width = Math.max(...Object.keys(figures).map((name) => name.length));
	const lines = Object.entries(figures).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
	console.log(`\n${heading}\n${lines.join('\n')}\n`);
}

/** Prints the executions that did not succeed, and what the service holds of each. */
export function printFailures(failures: Failure[]): void {
	const lines = failures
		.slice(0, MOST_FAILURES)
		.map(
			({ id, status, words, holds }) =>
				`  ${id}: ${status}: ${words.slice(0, LONGEST_WORDS)} … The service holds: ${holds}`,
		);
	const more = failures.length - lines.length;
	if (more > 0) lines.push(`  … and ${more} more`);
	console.log(`Executions that did not succeed:\n${lines.join('\n')}\n`);
}

/** "3 success, 2 error" */
export const listCounts = (counts: Record<string, number>): string =>
	Object.entries(counts)
		.map(([name, count]) => `${count} ${name}`)
		.join(', ') || 'none';

/** Whole seconds since a moment, for people. */
export const secondsSince = (moment: number): string =>
	`${Math.round((Date.now() - moment) / 1000)} s`;
