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

const asRows = (rows: string[][]) => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');

/** The text of docs/faults.md. */
export const page = (markOf: MarkOf) => `# Faults

What every operation does under every fault. \`test/engine/matrix.test.mts\` generates this page from what it observes. It runs each
operation in n8n's engine against the sandbox, twice for each fault, with **Max Retries** set to 1. The first time, the fault affects
one request. The second time, it affects every request. A refused connection is only tested the second way. \`npm test\` leaves out
half of the first runs, and the weekly workflow runs them all. For the rules behind this, see [Retries](behaviour.md#retries).

${table(markOf)}

| Mark | |
| --- | --- |
${asRows(legend)}

| Column | Fault |
| --- | --- |
${asRows(FAULTS.map(({ head, name }) => [`\`${head}\``, name]))}

The expected results are in \`test/engine/matrix.mts\`. After a change there, generate this page again:

\`\`\`sh
npm run generate
\`\`\`
`;
