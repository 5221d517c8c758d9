/** The part of AbortSignal that is needed here; n8n's own signals fit as well. */
export interface StopSignal {
	readonly aborted: boolean;
	readonly reason: unknown;
	addEventListener(type: 'abort', listener: () => void): void;
	removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Ends all waiting in one part of the work: a run, or the reading of one list. A real AbortController would do, but
 * Node 20 warns as soon as more than ten listeners wait for one.
 */
export class Stop implements StopSignal {
	aborted = false;

	reason: unknown;

	private readonly listeners = new Set<() => void>();

	/** @param parent ends this part as well when it fires */
	constructor(private readonly parent?: StopSignal) {
		if (parent?.aborted) this.now(parent.reason);
		else parent?.addEventListener('abort', this.follow);
	}

	addEventListener(_type: 'abort', listener: () => void): void {
		this.listeners.add(listener);
	}

	removeEventListener(_type: 'abort', listener: () => void): void {
		this.listeners.delete(listener);
	}

	/** Ends the waiting; the first reason counts. */
	now(reason: unknown): void {
		if (this.aborted) return;
		this.aborted = true;
		this.reason = reason;
		for (const listener of [...this.listeners]) listener();
	}

	/** Call it when the part is over, so that nothing is left behind at the parent. */
	release(): void {
		this.parent?.removeEventListener('abort', this.follow);
	}

	private readonly follow = () => this.now(this.parent?.reason);
}
