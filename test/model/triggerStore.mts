import type { IDataObject } from 'n8n-workflow';

import { EVENT_NAMES } from '../../nodes/SearchVisibilityTrigger/events.ts';
import type { Ledger } from './triggerLedger.mts';
import type { Step } from './triggerSteps.mts';

type Damage = Extract<Step, { type: 'damage' }>;
type Snapshot = ReturnType<Store['snapshot']>;

/** The state of the trigger: in n8n's memory, and as stored. */
export class Store {
	memory: IDataObject = {};
	stored: Snapshot;
	readonly snapshots: Snapshot[] = [];
	rollbacks = 0;

	constructor(private readonly ledger: Ledger) {
		this.stored = this.snapshot();
	}

	damage({ event, how }: Damage): void {
		const events = this.memory.events as Record<string, IDataObject>;
		if (typeof events !== 'object') return;
		if (how === 'version') this.memory.version = 0;
		else if (how === 'events') this.memory.events = 'damaged';
		else events[event] = { ...events[event], seen: null };
		this.ledger.forget(how === 'seen' ? [event] : EVENT_NAMES);
		// So that after a crash, n8n continues from the damaged state
		this.stored = this.snapshot();
		this.snapshots.push(this.stored);
	}

	/** What n8n has stored, and what the workflow had received by then. */
	snapshot() {
		const { lines } = this.ledger;
		return { ...structuredClone({ memory: this.memory, lines }), owed: this.ledger.owed() };
	}

	putBack({ owed, ...others }: Snapshot): void {
		this.rollbacks++;
		const { memory, lines } = structuredClone(others);
		this.memory = memory;
		this.ledger.putBack(lines, owed);
	}
}
