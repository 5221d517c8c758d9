/** The part of AbortSignal that the nodes need; n8n's own signals fit too. */
export interface StopSignal {
	readonly aborted: boolean;
	readonly reason: unknown;
	addEventListener(type: 'abort', listener: () => void): void;
	removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Ends all waits in one part of the work, such as a run or the reading of one list. A real AbortController would do,
 * but Node.js 20 warns about more than ten listeners. However many listeners a part has, its parent has one for all.
 */
export class Stop implements StopSignal {
	private ended?: { reason: unknown };

	private readonly listeners = new Set<() => void>();

	/** @param parent also ends this part when it fires */
	constructor(private readonly parent?: StopSignal) {}

	get aborted(): boolean {
		return this.ended !== undefined || this.parent?.aborted === true;
	}

	get reason(): unknown {
		return this.ended ? this.ended.reason : this.parent?.reason;
	}

	addEventListener(_type: 'abort', listener: () => void): void {
		if (this.listeners.size === 0) this.parent?.addEventListener('abort', this.follow);
		this.listeners.add(listener);
	}

	removeEventListener(_type: 'abort', listener: () => void): void {
		this.listeners.delete(listener);
		if (this.listeners.size === 0) this.release();
	}

	/** Ends the waits; the first reason counts. */
	now(reason: unknown): void {
		if (!this.aborted) this.end(reason);
	}

	/** Call this at the end of the part, in case somebody has left a listener. */
	release(): void {
		this.parent?.removeEventListener('abort', this.follow);
	}

	private end(reason: unknown): void {
		this.ended = { reason };
		for (const listener of [...this.listeners]) listener();
	}

	private readonly follow = () => {
		if (!this.ended) this.end(this.parent?.reason);
	};
}
