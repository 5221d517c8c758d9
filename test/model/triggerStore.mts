import type { IDataObject } from 'n8n-workflow';

import type { Ledger, Lines, Owed } from './triggerLedger.mts';
import { HOUR, type Service } from './triggerService.mts';
import { type Damage, type EventName, EVENTS } from './triggerSteps.mts';

/** What n8n has stored, and what the workflow had received by then. */
interface Snapshot {
	state: string;
	lines: string;
	owed: Owed;
}

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
		const events = this.memory.events as Record<string, { floor?: number } | null>;
		let most = 100;
		for (const [name, state] of Object.entries(events)) {
			const event = name as EventName;
			// A damaged state stays until its event is next decided
			const isWhole = this.ledger.lines[event] !== undefined;
			const oldest = ((isWhole && state?.floor) || Number.NEGATIVE_INFINITY) - HOUR;
			const kept = this.service.records.filter((record) => {
				const { time = oldest } = record;
				return record.event === event && (time >= oldest || this.haveVanished.has(event));
			});
			// Those whose time vanished and came back are remembered both ways until the look-back is over
			most += 350 + kept.length * (this.haveVanished.has(event) ? 40 : 20);
		}
		const size = JSON.stringify(this.memory).length;
		if (size > most) throw new Error(`The state has ${size} characters, more than ${most}`);
	}

	damage(event: EventName, how: Damage): void {
		const events = this.memory.events as Record<string, IDataObject>;
		if (typeof events !== 'object') return;
		const put = (values: IDataObject) => {
			events[event] = { ...events[event], ...values };
		};
		const lost = how === 'version' || how === 'events' ? EVENTS : [event];
		if (how === 'version') this.memory.version = 0;
		else if (how === 'events') this.memory.events = 'damaged';
		else put({ filter: null });
		this.ledger.forget(lost);
		// So that after a crash, n8n continues from the damaged state
		this.stored = this.snapshot();
		this.snapshots.push(this.stored);
	}

	snapshot(): Snapshot {
		return {
			state: JSON.stringify(this.memory),
			lines: JSON.stringify(this.ledger.lines),
			owed: this.ledger.owed(),
		};
	}

	putBack({ state, lines, owed }: Snapshot): void {
		this.rollbacks++;
		this.memory = JSON.parse(state) as IDataObject;
		this.ledger.lines = JSON.parse(lines) as Lines;
		this.ledger.putBack(owed);
	}
}

export const copyOf = (value: IDataObject) => JSON.parse(JSON.stringify(value)) as IDataObject;
