import { assumptionsOf, contract } from '../contract/document.mts';

export type State = 'holds' | 'differs' | 'unknown';

/** One line of the report. */
export interface Finding {
	/** The section of the specification, and what it says or leaves open */
	rule: string;
	state: State;
	/** What came, or why that is unknown */
	came: string;
	/** What to do about a difference */
	advice: string;
	/** Whether the node works all the same; undefined if that depends on whether its operations ran */
	copes: boolean | undefined;
	/** The operations that the difference concerns */
	operations: string[];
}

const texts = [...new Set(assumptionsOf(contract).map(({ text }) => text))];
const questionIn = (text: string) => text.slice(0, text.lastIndexOf('; '));

/** @returns what the specification leaves open; with the answer, if there is more than one to the question */
export function ruleOf(text: string): string {
	const question = questionIn(text);
	return texts.filter((one) => questionIn(one) === question).length === 1 ? question : text;
}

/** What the contract assumes, by the rule. */
export const ASSUMED = new Map(
	texts.map((text) => [ruleOf(text), text.slice(questionIn(text).length + 2)]),
);

const RANK: Record<State, number> = { unknown: 0, holds: 1, differs: 2 };

export interface Difference {
	copes?: boolean;
	operations?: string[];
}

/** The lines of the report. What is found twice for one rule becomes one line; a difference counts most. */
export class Findings {
	private readonly byRule = new Map<string, Finding>();

	get all(): Finding[] {
		return [...this.byRule.values()];
	}

	has(rule: string): boolean {
		return this.byRule.has(rule);
	}

	holds(rule: string, came = ''): void {
		this.add({ rule, state: 'holds', came, advice: '', copes: true, operations: [] });
	}

	unknown(rule: string, came: string): void {
		this.add({ rule, state: 'unknown', came, advice: '', copes: true, operations: [] });
	}

	/** @param difference without `copes`, the runs of its operations decide, if it names some */
	differs(rule: string, came: string, advice: string, difference: Difference = {}): void {
		const { operations = [], copes = operations.length === 0 || undefined } = difference;
		this.add({ rule, state: 'differs', came, advice, copes, operations });
	}

	/** @returns whether it holds */
	expect(
		holds: boolean,
		rule: string,
		came: string,
		advice: string,
		difference: Difference = {},
	): boolean {
		if (holds) this.holds(rule);
		else this.differs(rule, came, advice, difference);
		return holds;
	}

	private add(found: Finding): void {
		const known = this.byRule.get(found.rule);
		if (!known || RANK[found.state] > RANK[known.state]) {
			this.byRule.set(found.rule, found);
			return;
		}
		if (found.state !== known.state) return;
		known.came = joined(known.came, found.came);
		known.advice = joined(known.advice, found.advice);
		known.operations = [...new Set([...known.operations, ...found.operations])];
		known.copes =
			known.copes !== false && found.copes !== false ? known.copes && found.copes : false;
	}
}

const joined = (one: string, other: string) =>
	!other || one.includes(other) ? one : one ? `${one}; ${other}` : other;
