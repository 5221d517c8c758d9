import { adviceFor, type Line, type State } from './lines.mts';
import type { Result } from './verify.mts';

/** The report in Markdown, as it is attached to an issue. */
export function reportOf(result: Result, ...about: string[]): string {
	const of = (state: State) => result.lines.filter((one) => one.state === state).sort(bySection);
	const [holds, differs, notSeen] = [of('holds'), of('differs'), of('not seen')];
	const warnings = [
		result.cutOff && `**Cut off:** ${result.cutOff}. What it did not get to is not seen.`,
		result.isEmpty && '**Empty:** no list has a record, so this says little about the service.',
	];
	return [
		'# What this service does',
		...warnings,
		`**${holds.length} hold, ${differs.length} differ, ${notSeen.length} not seen.**`,
		list('', [...about, ...result.facts]),
		list('## Left behind', result.leftBehind),
		table('## Differs', differs),
		table('## Not seen', notSeen),
		table('## Holds', holds),
	]
		.filter(Boolean)
		.join('\n\n')
		.concat('\n');
}

const list = (title: string, all: string[]) =>
	all.length > 0
		? [title && `${title}\n`, ...all.map((line) => `- ${line}`)].join('\n').trim()
		: '';

function table(title: string, lines: Line[]): string {
	if (lines.length === 0) return '';
	const row = (cells: string[]) =>
		`| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
	const rows = lines.map((line) => row([ruleText(line), line.evidence, adviceFor(line)]));
	return [
		`${title}\n`,
		row(['Rule', 'What came', 'What to do']),
		row(['---', '---', '---']),
		...rows,
	].join('\n');
}

/** "**4.8** the names of the sort parameters (assumed: sortBy and sortOrder)" */
function ruleText({ rule, assumed }: Line): string {
	const [section = '', ...text] = rule.split(': ');
	return `**${section}** ${text.join(': ')}${assumed && ` (assumed: ${assumed})`}`;
}

/** As numbers: 2.10 comes after 2.9. */
const bySection = (a: Line, b: Line) => a.rule.localeCompare(b.rule, 'en', { numeric: true });
