import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

import { itemAt } from '../defined.mts';
import { PACKAGE_FOLDER } from '../engine/engine.mts';
import { type Result, verdictOn } from './figures.mts';

const START = '<!-- bench: what stands from here on is written by npm run bench -- --docs -->';
const END = '<!-- bench: end -->';

/** Formats a number with as many digits as are meaningful. */
function shown(value: number, unit = ''): string {
	const digits = Number.isInteger(value) ? 0 : value < 10 ? 2 : 1;
	return `${value.toFixed(digits)}${unit && ` ${unit}`}`;
}

export const valueOf = ({ value, unit }: Result) => shown(value, unit);

/** The interval in the form "1.02-1.07"; empty if there is none. */
export const intervalOf = ({ interval }: Result) =>
	interval?.map((end) => shown(end)).join('-') ?? '';

export const barOf = ({ is, bar, unit }: Result) => `${is} ${bar}${unit ? ` ${unit}` : ''}`;

/** A warning if other work on the machine makes the figures unreliable; empty on a quiet one. */
export function noise(): string {
	const load = itemAt(loadavg(), 0);
	return load > cpus().length / 2 ? `other work on the machine (load ${load.toFixed(1)})` : '';
}

/** Writes the table and the chart into the documentation. */
export function writeDocs(results: Result[], disturbance: string): void {
	const page = join(PACKAGE_FOLDER, 'docs', 'performance.md');
	const text = readFileSync(page, 'utf8');
	const [start, end] = [text.indexOf(START), text.indexOf(END)];
	if (start < 0 || end < start) throw new Error(`${page} has lost its marks`);
	writeFileSync(
		page,
		`${text.slice(0, start)}${START}\n\n${table(results, disturbance)}\n${text.slice(end)}`,
	);
	writeFileSync(join(PACKAGE_FOLDER, 'docs', 'performance.svg'), chart(results));
}

function table(results: Result[], disturbance: string): string {
	const rows = results.map((result) => {
		const { name, work, measure, detail = '' } = result;
		const verdict = verdictOn(result);
		const shownVerdict = verdict === 'ok' ? verdict : `**${verdict}**`;
		const columns = [name, work, measure, valueOf(result), intervalOf(result), barOf(result)];
		return [...columns, shownVerdict, detail];
	});
	const head = ['Figure', 'Work', 'Measure', 'Measured', '95 %', 'Bar', '', 'Behind it'];
	const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
	const day = new Date().toISOString().slice(0, 10);
	const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}`;
	const notes = [machine, disturbance].filter(Boolean).join(', ');
	return `${lines.join('\n')}\n\nMeasured on ${day}: ${notes}.\n`;
}

const COLORS = { ok: '#2e7d32', unclear: '#b26a00', short: '#c62828' };
const ROW = 26;
const LEFT = 190;
const BAR_AT = 300;
const WIDTH = 800;

/** How much of the allowed value is used; above 1, the bar is missed, whatever its direction. */
function shareOf({ is, value, bar }: Result): number {
	return is === 'at least' ? bar / value : value / bar;
}

/** One row per figure, all scaled to the same bar: whatever ends left of the line is within it. */
function chart(results: Result[]): string {
	const height = ROW * (results.length + 2);
	const rows = results.map((result, index) => {
		const y = ROW * (index + 1);
		const width = Math.min(shareOf(result), 1.4) * BAR_AT;
		const color = COLORS[verdictOn(result)];
		const label = `${valueOf(result)} (${barOf(result)})`;
		const labelAt = LEFT + Math.max(width, BAR_AT) + 10;
		return [
			`<text x="${LEFT - 10}" y="${y + 15}" text-anchor="end">${result.name}</text>`,
			`<rect x="${LEFT}" y="${y + 4}" width="${width.toFixed(1)}" height="${ROW - 10}" rx="2" fill="${color}"/>`,
			`<text x="${labelAt.toFixed(1)}" y="${y + 15}">${label}</text>`,
		].join('\n');
	});
	const line = LEFT + BAR_AT;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" role="img">
<title>Measured figures as shares of their bars</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${line}" y="16" text-anchor="middle" fill="#555">the bar</text>
${rows.join('\n')}
<line x1="${line}" y1="22" x2="${line}" y2="${height - ROW + 4}" stroke="#555" stroke-dasharray="4 3"/>
</svg>
`;
}
