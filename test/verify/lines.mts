import { assumptionsOf, contract } from '../contract/document.mts';

export type State = 'holds' | 'differs' | 'not seen';

/** One line of the report. */
export interface Line {
	/** The section of the specification, and what it says or leaves open */
	rule: string;
	/** What the contract assumes; empty for what the specification says */
	assumed: string;
	state: State;
	/** What was asked and what came, or why nothing was seen */
	evidence: string;
}

/** What a user can do if an assumption does not hold, by what it is about; nothing else gives advice. */
const ADVICE: Array<[RegExp, string]> = [
	[
		/request body/,
		'If the message is about the body, use **Custom Body**, or change it in nodes/shared/assumed.ts',
	],
	[
		/names of the sort parameters/,
		"If they have other names, use n8n's HTTP Request node, or change `citedPageOrder` in nodes/shared/assumed.ts",
	],
	[/path, given as \/gsc\/inspect/, 'Change `inspectPath` in nodes/shared/assumed.ts'],
	[/how hostnames with letters/, "Use n8n's HTTP Request node with the credential"],
];

export const adviceFor = ({ rule, state }: Line): string =>
	(state === 'differs' && ADVICE.find(([about]) => about.test(rule))?.[1]) || '';

const STATES: State[] = ['not seen', 'holds', 'differs'];

/** A line for each assumption of the contract, and for what the specification says and was looked at. */
export class Lines {
	readonly all: Line[] = [...new Set(assumptionsOf(contract).map(({ text }) => text))].map(
		(text) => {
			const end = text.lastIndexOf('; ');
			const [rule, assumed] = [text.slice(0, end), text.slice(end + 2)];
			return { rule, assumed, state: 'not seen', evidence: '' };
		},
	);

	/**
	 * Says about an assumption whether it holds, and how that was seen. Once it differs, it differs.
	 * @param about words of exactly one assumption
	 * @param holds undefined if nothing was seen
	 */
	assumption(about: string, holds: boolean | undefined, evidence: string): void {
		const found = this.all.filter(({ rule, assumed }) => `${rule}; ${assumed}`.includes(about));
		if (found.length !== 1) throw new Error(`${found.length} assumptions are about "${about}"`);
		this.say(found[0] as Line, holds, evidence);
	}

	/** The same about what the specification says. */
	rule(rule: string, holds: boolean | undefined, evidence: string): void {
		let line = this.all.find((one) => one.rule === rule);
		if (!line) this.all.push((line = { rule, assumed: '', state: 'not seen', evidence: '' }));
		this.say(line, holds, evidence);
	}

	private say(line: Line, holds: boolean | undefined, evidence: string): void {
		const state = holds === undefined ? 'not seen' : holds ? 'holds' : 'differs';
		if (STATES.indexOf(state) < STATES.indexOf(line.state)) return;
		if (state === line.state && line.evidence && !line.evidence.includes(evidence)) {
			line.evidence += `; ${evidence}`;
		} else Object.assign(line, { state, evidence });
	}

	/** What stands beside whatever was not seen, unless a line says so itself. */
	explain(why: (rule: string) => string): void {
		for (const line of this.all) line.evidence ||= why(line.rule);
	}
}
