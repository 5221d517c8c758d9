import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { itemAt } from '../defined.mts';
import { ensureN8n } from '../n8n/install.mts';
import { discoverers } from '../sandbox/discover.mts';
import type { LoggedRequest } from '../sandbox/sandbox.mts';
import { startsIn } from './executions.mts';
import {
	awaited,
	delaysOf,
	fatesOf,
	percentile,
	punctuality,
	reactionsOf,
	type Discovery,
	type Fates,
	type Poll,
	type Start,
} from './figures.mts';
import { Site, type Ground } from './site.mts';
import type { Variant } from './variants.mts';

export interface Pace {
	/** How long discoveries arrive before a kill, and how long the measurement takes. */
	secondsToKill: number;
	seconds: number;
	/** Discoveries per workspace and minute, on average. */
	perMinute: number;
}

/** Seconds until n8n responds, and until all workflows are active; null if that took too long to wait for. */
export interface StartUp {
	serves: number;
	isActive: number | null;
}

/** Milliseconds; undefined if there is nothing to measure. */
export interface Spread {
	median: number | undefined;
	most: number | undefined;
}

/** The measurements of a variant, in seconds, bytes and counts. */
export interface Result extends Variant {
	start: StartUp;
	/** After the kill, measured from the kill. */
	restart: StartUp | undefined;
	/** Whether n8n is still running at the end. */
	isUp: boolean;
	/** How long the measurement took, after all workflows were active. */
	seconds: number;
	due: number;
	ran: number;
	polls: number;
	requests: number;
	executions: number;
	/** Seconds of CPU time in this period. */
	cpu: { n8n: number; main: number; database: number };
	/** Maximum. */
	memory: { n8n: number; main: number; database: number };
	database: { before: number; growth: number };
	delay: Spread;
	reaction: Spread;
	discoveries: number;
	fates: Fates;
	/** The machine's load average at the start, in the middle and at the end. */
	load: number[];
}

/** The fraction of one core that n8n used. */
export const coresOf = ({ cpu, seconds }: Result): number => cpu.n8n / seconds;

/** Milliseconds of n8n's CPU time per poll. */
export const cpuPerPoll = ({ cpu, polls }: Result): number => (1000 * cpu.n8n) / polls;

/** In bytes. */
export const growthPerMinute = ({ database, seconds }: Result): number =>
	(database.growth / seconds) * 60;

/** A poll comes once a minute; the rest is for its execution. */
const LAST_POLL_MS = 62_000;
/** For this long after its start, n8n is busy with other things. In its first minute, its own workflow finds all new. */
const WARM_UP_S = { trigger: 45, own: 60 };
const SAMPLE_MS = 1000;
/** Time for late executions if n8n has more work than it can do. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 5000;

/** Runs the fleet of a variant on a site that has its workflows, and stops the site at the end. */
export class Fleet {
	private readonly discovered: Discovery[] = [];

	private startedAt = 0;

	private readonly load = [loadNow()];

	private memory = { n8n: 0, main: 0, database: 0 };

	constructor(
		private readonly variant: Variant,
		private readonly site: Site,
		private readonly ground: Ground,
		private readonly pace: Pace,
	) {}

	/** Publishes all workflows and starts n8n. */
	async start(): Promise<StartUp> {
		await this.site.startWorkers();
		await this.site.publish(this.variant);
		this.startedAt = Date.now();
		return await this.site.start(this.variant.size, this.variant.isKilled);
	}

	/** Measures the started fleet. */
	async measure(start: StartUp): Promise<Result> {
		const { variant, site, pace } = this;
		const sampling = setInterval(() => this.sample(), SAMPLE_MS);
		try {
			const restart = variant.isKilled ? await this.killInTheMiddle() : undefined;
			await this.warmUp(restart ?? start);
			this.load.push(loadNow());
			const from = Date.now();
			const executionsBefore = await this.countExecutions();
			const before = { usage: site.usage(), size: await site.size() };
			const stop = this.discover();
			await sleep(pace.seconds * 1000);
			stop();
			await sleep(LAST_POLL_MS);
			const usage = site.usage();
			const to = Date.now();
			const isUp = usage.main.memory > 0;
			const growth = (await site.size()) - before.size;
			const executions = (await this.countExecutions()) - executionsBefore;
			this.load.push(loadNow());
			return {
				...variant,
				...{ start, restart, isUp, executions, memory: this.memory, load: this.load },
				seconds: (to - from) / 1000,
				cpu: {
					n8n: usage.n8n.cpu - before.usage.n8n.cpu,
					main: usage.main.cpu - before.usage.main.cpu,
					database: usage.database.cpu - before.usage.database.cpu,
				},
				database: { before: before.size, growth },
				...(await this.judge(from, to)),
			};
		} finally {
			clearInterval(sampling);
		}
	}

	/** Kills n8n and starts it again, while discoveries keep arriving. */
	private async killInTheMiddle(): Promise<StartUp> {
		const { site, pace, variant } = this;
		const stop = this.discover();
		await sleep(pace.secondsToKill * 1000);
		await site.server.kill();
		const restart = await site.start(variant.size);
		stop();
		return restart;
	}

	private async warmUp({ serves, isActive }: StartUp): Promise<void> {
		const { kind } = this.variant;
		const passed = kind === 'own' ? 0 : (isActive ?? Infinity) - serves;
		await sleep(Math.max(0, WARM_UP_S[kind] - passed) * 1000);
	}

	/** Adds records at random times until told to stop. */
	private discover(): () => void {
		const { first, size } = this.variant;
		const { states } = this.ground.sandbox;
		const perMs = (size * this.pace.perMinute) / 60_000;
		let timer: NodeJS.Timeout;
		const next = () => {
			// The time between two independent events
			timer = setTimeout(
				() => {
					const workspace = first + Math.floor(Math.random() * size);
					const kind = this.discovered.length % 2 === 0 ? 'citedPage' : 'question';
					const { id } = discoverers[kind](itemAt(states, workspace));
					this.discovered.push({ workspace, id, at: Date.now() });
					next();
				},
				-Math.log(1 - Math.random()) / perMs,
			);
		};
		next();
		return () => clearTimeout(timer);
	}

	private sample(): void {
		const usage = this.site.usage();
		for (const part of ['n8n', 'main', 'database'] as const) {
			this.memory[part] = Math.max(this.memory[part], usage[part].memory);
		}
	}

	private async countExecutions(): Promise<number> {
		return await this.site.database.number('SELECT COUNT(*) FROM execution_entity');
	}

	/** The starts, once every discovery has one and all executions until now have ended, or the time is up. */
	private async settledStarts(n8nBin: string): Promise<Start[]> {
		const { database } = this.site;
		const last = await database.number('SELECT COALESCE(MAX("id"), 0) FROM execution_entity');
		const underWay = `SELECT COUNT(*) FROM execution_entity WHERE "status" IN ('new', 'running') AND "id" <= ${last}`;
		for (const until = Date.now() + PATIENCE_MS; ; ) {
			const isQuiet = (await database.number(underWay)) === 0;
			const starts = await startsIn(database, n8nBin);
			const { lost } = fatesOf(this.awaited, starts);
			if ((isQuiet && lost === 0) || Date.now() > until) return starts;
			await sleep(LOOK_MS);
		}
	}

	/** The requests of this fleet. */
	private get visits(): LoggedRequest[] {
		const { first, size } = this.variant;
		const isMine = ({ workspace, time }: LoggedRequest) =>
			workspace >= first && workspace < first + size && time >= this.startedAt;
		return this.ground.sandbox.requests.filter(isMine);
	}

	private get polls(): Poll[] {
		return this.visits.filter(beginsPoll).map(pollOf);
	}

	private get awaited(): Discovery[] {
		return awaited(this.discovered, this.polls);
	}

	private async judge(from: number, to: number) {
		const { visits, polls } = this;
		const { first, size } = this.variant;
		const { n8nBin } = await ensureN8n(this.ground.log);
		const measured = visits.filter(({ time }) => time >= from && time < to);
		const starts = await this.settledStarts(n8nBin);
		const discovered = this.awaited;
		const meanwhile = discovered.filter(({ at }) => at >= from);
		const startedMeanwhile = starts.filter(({ ranAt = 0 }) => ranAt >= from);
		return {
			...punctuality(polls, { first, size, from, to }),
			polls: measured.filter(beginsPoll).length,
			requests: measured.length,
			delay: spreadOf(delaysOf(meanwhile, starts)),
			reaction: spreadOf(reactionsOf(polls, startedMeanwhile)),
			discoveries: discovered.length,
			fates: fatesOf(discovered, starts),
		};
	}
}

const loadNow = () => itemAt(loadavg(), 0);

const beginsPoll = ({ path, query }: LoggedRequest) =>
	path === '/v1/ai-visibility/citations' && query.type === 'new' && query.offset === '0';

const pollOf = ({ workspace, time }: LoggedRequest): Poll => ({ workspace, begins: time });

const spreadOf = (values: number[]): Spread => ({
	median: percentile(values, 0.5),
	most: percentile(values, 0.99),
});
