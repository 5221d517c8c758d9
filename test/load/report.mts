import { countBy, type Failure } from './audit.mts';

/** Prints figures as a block: a heading, and one count per line. */
export function printFigures(heading: string, figures: Record<string, string | number>): void {
	const width = Math.max(...Object.keys(figures).map((name) => name.length));
	const lines = Object.entries(figures).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
	console.log(`\n${heading}\n${lines.join('\n')}\n`);
}

/** Prints what happened to the executions that did not succeed, grouped by outcome. */
export function printFailures(failures: Failure[]): void {
	const fates = failures.map(({ status, words, isUnclear, holds }) => {
		const [said] = words.split('. ');
		const unclear = isUnclear ? ', and that the work may be done' : '';
		return `${status}, n8n says: "${said}"${unclear}; the service holds: ${holds}`;
	});
	const lines = Object.entries(countBy(fates)).map(([fate, count]) => `  ${count} × ${fate}`);
	console.log(`Executions that did not succeed:\n${lines.sort().join('\n')}\n`);
}

/** "3 success, 2 error" */
export const listCounts = (counts: Record<string, number>): string =>
	Object.entries(counts)
		.map(([name, count]) => `${count} ${name}`)
		.join(', ') || 'none';

/** Whole seconds since a point in time, for people. */
export const secondsSince = (moment: number): string =>
	`${Math.round((Date.now() - moment) / 1000)} s`;
