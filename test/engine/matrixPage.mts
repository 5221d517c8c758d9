import { itemAt } from '../defined.mts';
import { CELLS, FAULTS, MARKS, type Cell } from './matrix.mts';

type MarkOf = (cell: Cell) => string;

export const OPERATIONS = [...new Set(CELLS.map(({ name }) => name))];

/** A row for each operation, a column for each fault. */
function table(markOf: MarkOf): string {
	const heads = FAULTS.map(({ head }) => head);
	const widths = [24, ...heads.map(({ length }) => length)];
	const line = (cells: string[], fill = ' ') =>
		`| ${cells.map((cell, n) => cell.padEnd(itemAt(widths, n), fill)).join(' | ')} |`;
	const marks = (name: string) => CELLS.filter((cell) => cell.name === name).map(markOf);
	const rule = line(Array<string>(widths.length).fill('-'), '-');
	return [
		line(['', ...heads]),
		rule,
		...OPERATIONS.map((name) => line([name, ...marks(name)])),
	].join('\n');
}

const legend = Object.entries(MARKS).map(([mark, { means }]) => [mark, means]);

/** The table that is printed after the tests. */
export const printed = (markOf: MarkOf) =>
	`\nFault matrix, as seen with Max Retries 1\n\n${table(markOf)}\n\n${legend.map((row) => row.join(' ')).join('\n')}\n\n`;

/** The same with one row for all operations that behave alike. */
function shortTable(markOf: MarkOf): string {
	const names = new Map<string, string[]>();
	for (const name of OPERATIONS) {
		const marks = CELLS.filter((cell) => cell.name === name).map(markOf);
		const key = marks.join(' | ');
		names.set(key, [...(names.get(key) ?? []), name]);
	}
	const heads = FAULTS.map(({ head }) => head);
	return [
		`| Operations | ${heads.join(' | ')} |`,
		`|${' --- |'.repeat(heads.length + 1)}`,
		...[...names].map(([marks, alike]) => `| ${alike.join(', ')} | ${marks} |`),
	].join('\n');
}

/** The text of docs/faults.md. */
export const page = (markOf: MarkOf) => `# Faults

What every operation does under every fault, as \`test/engine/matrix.test.mts\` observes it in n8n's engine with **Max Retries** set to 1:
once with the fault in one request, and once with the fault in every request (a refused connection only that way). For the rules, see
[Retries](behaviour.md#retries). \`npm run generate\` writes this page; the expected results are in \`test/engine/matrix.mts\`.

${shortTable(markOf)}

${legend.map(([mark, means]) => `- ${mark} ${means}`).join('\n')}

In the columns: ${FAULTS.filter(({ head, name }) => head !== name)
	.map(({ head, name }) => `\`${head}\` ${name}`)
	.join(', ')}.
`;
