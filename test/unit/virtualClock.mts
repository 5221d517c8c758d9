/** Time that passes only when everybody waits, so that an hour of waiting takes no time. */
export class VirtualClock {
	private time = 1_000_000;

	private sleepers: Array<{ at: number; wake: () => void }> = [];

	private isTurning = false;

	now(): number {
		return this.time;
	}

	async wait(milliseconds: number): Promise<void> {
		await new Promise<void>((wake) => {
			this.sleepers.push({ at: this.time + Math.max(0, milliseconds), wake });
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
