import type { Fact } from './facts.mts';
import type { Read } from './works.mts';

export interface Findings {
	reads: Read[];
	facts: Fact[];
	/** Why it ended before everything was looked at, if it did */
	cutOff: string;
	/** What was answered with 401 or 403 */
	refused: string[];
	hasRecords: boolean;
	/** What was changed and not taken back */
	left: string[];
}

/** @returns the report in Markdown: whether the node works, then what differs */
export function reportOf({ reads, facts, cutOff, refused, hasRecords, left }: Findings): string {
	const parts = [
		`**${firstLine(reads, facts)}**`,
		cutOff && `**Cut off:** ${cutOff}. What it did not get to is not seen.`,
		refused.length > 0 && `**Refused:** ${refused.join('; ')}.`,
		!cutOff && !hasRecords && '**Empty:** no list has a record, so this says little.',
		...left.map((one) => `**Left behind:** ${one}`),
		table(['Read of the node', '', 'What came'], reads.map(readRow)),
		`**${countOf(facts, 'differs')} differ, ${countOf(facts, 'not seen')} not seen, ${countOf(facts, 'holds')} hold.**`,
		table(['', 'Asked', 'What came', 'Does the node mind?'], facts.map(factRow)),
	];
	return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** Such as "13 of 13 reads work with this service. 4 facts differ, and the node minds none of them." */
function firstLine(reads: Read[], facts: Fact[]): string {
	const namesOf = (state: Read['state']) =>
		reads.filter((one) => one.state === state).map(({ name }) => name);
	const works = namesOf('works');
	const wrong = works.filter((name) => facts.some((one) => isMinded(one) && one.spoils === name));
	const fails = namesOf('fails');
	const untried = namesOf('not tried');
	const tried = reads.length - untried.length;
	const sentences = [
		`${works.length - wrong.length} of ${tried} reads work with this service.`,
		fails.length > 0 && `Not: ${fails.join(', ')}.`,
		wrong.length > 0 && `With wrong results: ${wrong.join(', ')}.`,
		untried.length > 0 && `Not tried: ${untried.join(', ')}.`,
		differing(facts),
	];
	return sentences.filter(Boolean).join(' ');
}

function differing(facts: Fact[]): string | false {
	const differ = countOf(facts, 'differs');
	if (differ === 0) return false;
	const minded = facts.filter(isMinded).length;
	const subject = differ === 1 ? '1 fact differs' : `${differ} facts differ`;
	return `${subject}; the node minds ${minded === 0 ? 'none' : minded}.`;
}

const isMinded = ({ state, minds }: Fact) => state === 'differs' && minds.startsWith('Yes');

const countOf = (facts: Fact[], state: Fact['state']) =>
	facts.filter((one) => one.state === state).length;

const readRow = ({ name, state, evidence }: Read) => [name, state, evidence];

const factRow = ({ state, about, evidence, minds }: Fact) => [
	state,
	about,
	evidence,
	state === 'differs' ? minds : '',
];

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.map(asCell).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A cell has one line. */
const asCell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
