/** A clock that moves on only when everybody waits, so that an hour of waiting takes no real time. */
export class VirtualClock {
	private time = 1_000_000;
	/** Sorted so that the next one to wake is last */
	private readonly sleepers: Array<{ at: number; wake: () => void }> = [];
	private isTurning = false;
	private turns = 0;

	now(): number {
		return this.time;
	}

	async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted) throw signal.reason;
		await new Promise<void>((resolve, reject) => {
			const sleeper = { at: this.time + Math.max(0, milliseconds), wake: resolve };
			const after = this.sleepers.findLastIndex(({ at }) => at > sleeper.at);
			this.sleepers.splice(after + 1, 0, sleeper);
			if (signal) {
				const giveUp = () => {
					const place = this.sleepers.indexOf(sleeper);
					if (place >= 0) this.sleepers.splice(place, 1);
					reject(signal.reason as Error);
				};
				signal.addEventListener('abort', giveUp);
				sleeper.wake = () => {
					signal.removeEventListener('abort', giveUp);
					resolve();
				};
			}
			this.turn();
		});
	}

	private turn(): void {
		if (this.isTurning || this.sleepers.length === 0) return;
		this.isTurning = true;
		this.afterAllPromises(() => {
			this.isTurning = false;
			const next = this.sleepers.pop();
			if (!next) return;
			this.time = Math.max(this.time, next.at);
			next.wake();
			this.turn();
		});
	}

	/** Lets everything finish that can run at this time, and now and then the timers of the test runner. */
	private afterAllPromises(next: () => void): void {
		if (++this.turns % 100 === 0) setImmediate(next);
		// Node.js comes to these when no promise is left to continue
		else queueMicrotask(() => process.nextTick(next));
	}
}
