export interface Fact {
	/** Such as "GET /v1/keywords, sortBy=searchVolume" */
	about: string;
	state: 'differs' | 'not seen' | 'holds';
	/** What came, or why nothing was seen */
	evidence: string;
	/** If it differs: "Yes" or "No", and what it means for users of the node */
	minds: string;
	/** The read of the node whose results are wrong because of it */
	spoils?: string | undefined;
}

/** What was seen. */
export class Facts {
	private readonly all = new Map<string, Fact>();

	/** @param holds undefined if nothing was seen. Once something differs, it differs */
	say(about: string, holds: boolean | undefined, evidence: string, minds = '', spoils?: string) {
		const seen = holds ? 'holds' : 'differs';
		const state = holds === undefined ? 'not seen' : seen;
		if (this.all.get(about)?.state === 'differs') return;
		this.all.set(about, { about, state, evidence, minds, spoils });
	}

	of = (state: Fact['state']) => [...this.all.values()].filter((one) => one.state === state);
}

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
