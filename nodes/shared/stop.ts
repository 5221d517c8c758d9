/** The part of AbortSignal that the nodes need; n8n's own signals fit too. */
export interface StopSignal {
	readonly aborted: boolean;
	readonly reason: unknown;
	addEventListener(type: 'abort', listener: () => void): void;
	removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Ends all waits in one part of the work, such as a run or the reading of one list. A real AbortController would do,
 * but Node.js 20 warns about more than ten listeners.
 */
export class Stop implements StopSignal {
	aborted = false;

	reason: unknown;

	private readonly listeners = new Set<() => void>();

	/** @param parent also ends this part when it fires */
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

	/** Ends the waits; the first reason counts. */
	now(reason: unknown): void {
		if (this.aborted) return;
		this.aborted = true;
		this.reason = reason;
		for (const listener of [...this.listeners]) listener();
	}

	/** Call this at the end of the part, so that the parent keeps no listener. */
	release(): void {
		this.parent?.removeEventListener('abort', this.follow);
	}

	private readonly follow = () => this.now(this.parent?.reason);
}
