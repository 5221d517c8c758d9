import type { StopSignal } from '../../nodes/shared/stop.ts';

/** Time that passes only when everybody waits, so that an hour of waiting takes no time. */
export class VirtualClock {
	private time = 1_000_000;

	private sleepers: Array<{ at: number; wake: () => void }> = [];

	private isTurning = false;

	now(): number {
		return this.time;
	}

	async wait(milliseconds: number, stop?: StopSignal): Promise<void> {
		if (stop?.aborted) throw stop.reason;
		await new Promise<void>((resolve, reject) => {
			const end = () => {
				this.sleepers = this.sleepers.filter((other) => other !== sleeper);
				reject(stop?.reason as Error);
			};
			const wake = () => {
				stop?.removeEventListener('abort', end);
				resolve();
			};
			const sleeper = { at: this.time + Math.max(0, milliseconds), wake };
			stop?.addEventListener('abort', end);
			this.sleepers.push(sleeper);
			this.turn();
		});
	}

	private turn(): void {
		if (this.isTurning || this.sleepers.length === 0) return;
		this.isTurning = true;
		// After all that can go on at this time has gone on
		setImmediate(() => {
			this.isTurning = false;
			this.sleepers.sort((a, b) => a.at - b.at);
			const next = this.sleepers.shift();
			if (!next) return;
			this.time = Math.max(this.time, next.at);
			next.wake();
			this.turn();
		});
	}
}
