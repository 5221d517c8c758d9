import { assumptionsOf, contract } from '../contract/document.mts';

/** One line of the report. */
export interface Finding {
	/** The section of the specification, and what it says or leaves open */
	rule: string;
	state: 'unknown' | 'holds' | 'differs';
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

export const NOTHING = 'Nothing to set: the node copes.';

const STATES = ['unknown', 'holds', 'differs'];

export type Rule = ReturnType<Findings['rule']>;

/** The lines of the report. What is found twice for one rule becomes one line; a difference counts most. */
export class Findings {
	private readonly byRule = new Map<string, Finding>();

	get all(): Finding[] {
		return [...this.byRule.values()];
	}

	has(rule: string): boolean {
		return this.byRule.has(rule);
	}

	/** @returns what adds to the line of a rule */
	rule(text: string) {
		const add = (state: Finding['state'], came: string, more: Partial<Finding> = {}) =>
			this.add({ rule: text, state, came, advice: '', copes: true, operations: [], ...more });
		const holds = (came = '') => add('holds', came);
		return {
			text,
			holds,
			unknown: (came: string) => add('unknown', came),
			/**
			 * @param operations whose runs show whether the node copes; without any, it does
			 * @returns whether it holds
			 */
			expect: (isSo: boolean, came: string, advice = NOTHING, operations: string[] = []) => {
				const copes = operations.length === 0 || undefined;
				if (isSo) holds();
				else add('differs', came, { advice, copes, operations });
				return isSo;
			},
			/** @returns whether it holds; if not, users have to change something */
			require: (isSo: boolean, came: string, advice: string, operations: string[] = []) => {
				if (isSo) holds();
				else add('differs', came, { advice, copes: false, operations });
				return isSo;
			},
		};
	}

	private add(found: Finding): void {
		const known = this.byRule.get(found.rule) ?? found;
		const [before, now] = [STATES.indexOf(known.state), STATES.indexOf(found.state)];
		if (known === found || now > before) this.byRule.set(found.rule, found);
		else if (now === before) {
			known.came = joined(known.came, found.came);
			known.advice = joined(known.advice, found.advice);
			known.operations = [...new Set([...known.operations, ...found.operations])];
			if (found.copes !== true && known.copes !== false) known.copes = found.copes;
		}
	}
}

const joined = (one: string, other: string) =>
	one.includes(other) ? one : [one, other].filter(Boolean).join('; ');
