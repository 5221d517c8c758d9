import { ASSUMED, type Finding } from './findings.mts';
import { titleOf } from './verifier.mts';
import { isFailed, type Result } from './verify.mts';

/** The report in Markdown, as it is attached to an issue. */
export function reportOf(result: Result, about: { version: string; baseUrl?: string }): string {
	const { findings, measured, leftBehind, isWriting } = result;
	const of = (state: Finding['state']) =>
		findings.filter((one) => one.state === state).sort((a, b) => compare(a.rule, b.rule));
	const [holds, differs, unknown] = [of('holds'), of('differs'), of('unknown')];
	const failed = differs.filter(isFailed);
	const coped = differs.filter((one) => !isFailed(one));
	return [
		'# How this service differs from the contract',
		`**${holds.length} hold, ${differs.length} differ, ${unknown.length} unknown.** ${verdict(failed, coped)}`,
		[
			`n8n-nodes-search-visibility ${about.version}, ${isWriting ? 'reading and writing' : 'reading only'}`,
			`${measured.requests} requests in ${measured.seconds} s; a typical answer took ${measured.latency} ms`,
			`Limits: ${measured.limits}. Clock of the service: ${measured.clock}`,
			...(about.baseUrl ? [`Base URL: ${about.baseUrl}`] : []),
		]
			.map((line) => `- ${line}`)
			.join('\n'),
		...(leftBehind.length > 0 ? [list('Left behind', leftBehind)] : []),
		operations(result),
		differences('What to change', failed),
		differences('Differs, but the node copes', coped),
		table('Unknown', ['Rule', 'Why'], unknown, ({ came }) => [came]),
		list(
			'Holds',
			holds.map((one) => ruleText(one) + (one.came && `: ${one.came}`)),
		),
	]
		.filter(Boolean)
		.join('\n\n')
		.concat('\n');
}

function verdict(failed: Finding[], coped: Finding[]): string {
	if (failed.length > 0) return `${failed.length} of them need a change: see "What to change".`;
	return coped.length > 0 ? 'The node copes with all of them.' : '';
}

function operations({ operations: runs, findings }: Result): string {
	const groups: Record<string, string[]> = {
		'Safe to use': [],
		'Only with what "What to change" says': [],
		'Do not use yet': [],
		'Not tried': [],
	};
	for (const [name, run] of runs) {
		const isLimited = findings.some((one) => isFailed(one) && one.operations.includes(name));
		const group = !run
			? 'Not tried'
			: !run.ok
				? 'Do not use yet'
				: isLimited
					? 'Only with what "What to change" says'
					: 'Safe to use';
		const words = run && !run.ok ? ` (${run.words})` : '';
		groups[group]?.push(titleOf(name) + words);
	}
	const lines = Object.entries(groups)
		.filter(([, names]) => names.length > 0)
		.map(([group, names]) => `**${group}**: ${names.join(', ')}`);
	return list('Operations', lines);
}

const differences = (title: string, findings: Finding[]) =>
	table(title, ['Rule', 'What came', 'What to do'], findings, ({ came, advice }) => [came, advice]);

function table(
	title: string,
	head: string[],
	findings: Finding[],
	cells: (finding: Finding) => string[],
): string {
	if (findings.length === 0) return '';
	const row = (texts: string[]) =>
		`| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
	const lines = findings.map((one) => row([ruleText(one), ...cells(one)]));
	return [`## ${title}\n`, row(head), row(head.map(() => '---')), ...lines].join('\n');
}

/** "**4.8** the names of the sort parameters (assumed: sortBy and sortOrder)" */
function ruleText({ rule }: Finding): string {
	const [section = '', ...text] = rule.split(': ');
	const assumed = ASSUMED.get(rule);
	return `**${section}** ${text.join(': ')}${assumed ? ` (assumed: ${assumed})` : ''}`;
}

const list = (title: string, lines: string[]) =>
	`## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}`;

/** By section, as numbers: 2.10 comes after 2.9. */
function compare(a: string, b: string): number {
	const parts = (rule: string) => (/^[\d.]+/.exec(rule)?.[0] ?? '').split('.').map(Number);
	const [one, other] = [parts(a), parts(b)];
	for (const [at, number] of one.entries()) {
		if (number !== (other[at] ?? -1)) return number - (other[at] ?? -1);
	}
	return one.length - other.length;
}
