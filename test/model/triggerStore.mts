import type { IDataObject } from 'n8n-workflow';

import { EVENT_NAMES, type EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { HOUR } from '../unit/triggerStory.mts';
import type { Ledger } from './triggerLedger.mts';
import type { Service } from './triggerService.mts';
import type { Step } from './triggerSteps.mts';

type Damage = Extract<Step, { type: 'damage' }>;
type Snapshot = ReturnType<Store['snapshot']>;

/** The state of the trigger: in n8n's memory, and as stored. */
export class Store {
	memory: IDataObject = {};
	stored: Snapshot;
	readonly snapshots: Snapshot[] = [];
	rollbacks = 0;
	/** Events whose records may be remembered as records without a time */
	readonly haveVanished = new Set<EventName>();

	constructor(
		private readonly service: Service,
		private readonly ledger: Ledger,
	) {
		this.stored = this.snapshot();
	}

	/** Old records are forgotten: the state needs at most 18 characters for each ID from the floor on. */
	checkSize(): void {
		const events = this.memory.events as Record<EventName, { floor?: number } | null>;
		let most = 100;
		for (const event of EVENT_NAMES.filter((name) => name in events)) {
			// A damaged state stays until its event is next decided
			const isWhole = this.ledger.lines[event] !== undefined;
			const oldest = ((isWhole && events[event]?.floor) || -Infinity) - HOUR;
			const kept = this.service.records.filter(
				({ time = oldest, ...record }) =>
					record.event === event && (time >= oldest || this.haveVanished.has(event)),
			);
			// Those whose time vanished and came back are remembered both ways until the look-back is over
			most += 350 + kept.length * (this.haveVanished.has(event) ? 40 : 20);
		}
		const size = JSON.stringify(this.memory).length;
		if (size > most) throw new Error(`The state has ${size} characters, more than ${most}`);
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
