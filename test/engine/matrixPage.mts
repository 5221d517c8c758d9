import { CELLS, FAULTS, MARKS, type Cell } from './matrix.mts';

type MarkOf = (cell: Cell) => string;

export const OPERATIONS = [...new Set(CELLS.map(({ name }) => name))];

const legend = Object.entries(MARKS).map(([mark, { means }]) => [mark, means]);

/** One row for all operations that behave alike, a column for each fault. */
function table(markOf: MarkOf): string {
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
once with the fault in one request, and once with the fault in every request (a refused connection only that way). \`npm test\`
observes one of the operations that behave alike under each fault, and \`npm test -- --random\` all of them. For the rules, see
[Retries](behaviour.md#retries). \`npm run generate\` writes this page; the expected results are in \`test/engine/matrix.mts\`.

${table(markOf)}

${legend.map(([mark, means]) => `- ${mark} ${means}`).join('\n')}

In the columns: ${FAULTS.filter(({ head, name }) => head !== name)
	.map(({ head, name }) => `\`${head}\` ${name}`)
	.join(', ')}.
`;
