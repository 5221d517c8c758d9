import { ASSUMED, type Finding } from './findings.mts';
import { titleOf } from './verifier.mts';
import { isFailed, type Result } from './verify.mts';

/** The report in Markdown, as it is attached to an issue. */
export function reportOf(result: Result, ...about: string[]): string {
	const of = (state: Finding['state']) =>
		result.findings.filter((one) => one.state === state).sort(bySection);
	const [holds, differs, unknown] = [of('holds'), of('differs'), of('unknown')];
	const failed = differs.filter(isFailed);
	const coped = differs.filter((one) => !isFailed(one));
	const verdict =
		failed.length > 0
			? `${failed.length} of them need a change: see "What to change".`
			: coped.length > 0 && 'The node copes with all of them.';
	const head = ['Rule', 'What came', 'What to do'];
	const toCells = ({ came, advice }: Finding) => [came, advice];
	return [
		'# How this service differs from the contract',
		`**${holds.length} hold, ${differs.length} differ, ${unknown.length} unknown.** ${verdict || ''}`.trim(),
		lines('', [...about, ...result.facts]),
		lines('## Left behind', result.leftBehind),
		lines('## Operations', operations(result)),
		table('## What to change', head, failed, toCells),
		table('## Differs, but the node copes', head, coped, toCells),
		table('## Unknown', ['Rule', 'Why'], unknown, ({ came }) => [came]),
		lines(
			'## Holds',
			holds.map((one) => ruleText(one) + (one.came && `: ${one.came}`)),
		),
	]
		.filter(Boolean)
		.join('\n\n')
		.concat('\n');
}

function operations({ operations: runs, findings }: Result): string[] {
	const groups: Record<string, string[]> = {
		'Safe to use': [],
		'Only with what "What to change" says': [],
		'Do not use yet': [],
		'Not tried': [],
	};
	for (const [name, run] of runs) {
		const isLimited = findings.some((one) => isFailed(one) && one.operations.includes(name));
		const at = !run ? 3 : !run.ok ? 2 : isLimited ? 1 : 0;
		const words = run?.words ? ` (${run.words})` : '';
		Object.values(groups)[at]?.push(titleOf(name) + words);
	}
	return Object.entries(groups).flatMap(([group, names]) =>
		names.length > 0 ? `**${group}**: ${names.join(', ')}` : [],
	);
}

const lines = (title: string, all: string[]) =>
	all.length > 0
		? [title && `${title}\n`, ...all.map((line) => `- ${line}`)].join('\n').trim()
		: '';

function table(
	title: string,
	head: string[],
	findings: Finding[],
	toCells: (finding: Finding) => string[],
): string {
	if (findings.length === 0) return '';
	const row = (cells: string[]) =>
		`| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
	const rows = findings.map((one) => row([ruleText(one), ...toCells(one)]));
	return [`${title}\n`, row(head), row(head.map(() => '---')), ...rows].join('\n');
}

/** "**4.8** the names of the sort parameters (assumed: sortBy and sortOrder)" */
function ruleText({ rule }: Finding): string {
	const [section = '', ...text] = rule.split(': ');
	const assumed = ASSUMED.get(rule);
	return `**${section}** ${text.join(': ')}${assumed ? ` (assumed: ${assumed})` : ''}`;
}

/** As numbers: 2.10 comes after 2.9. */
const bySection = (a: Finding, b: Finding) => a.rule.localeCompare(b.rule, 'en', { numeric: true });
