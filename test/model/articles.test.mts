import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { amount } from '../seed.mts';
import { DAY, HOUR, type One, START, story } from '../unit/triggerStory.mts';

/*
 * Article Ready: a question may get its article long after it was found, and nobody says when. Each history knows which
 * question has its article since when. The trigger must pass on each one once, however late, and none that had its article
 * at the first poll.
 */

interface Question {
	id: string;
	askedAt: number;
	articleId: string | undefined;
	status: 'new' | 'processed' | 'archived';
	/** Whether it was there, as a question or with its article, at the first poll */
	wasKnown: { question: boolean; articleReady: boolean };
	/** How often each event has passed it on */
	times: { question: number; articleReady: number };
}

/** Any question that is listed, as likely a new one as an old one. */
const any = fc.noBias(fc.nat());

const steps = fc.array(
	fc.oneof(
		{
			weight: 5,
			arbitrary: fc.record({ type: fc.constant('ask'), which: fc.noBias(fc.nat({ max: 60 })) }),
		},
		{ weight: 5, arbitrary: fc.record({ type: fc.constant('answer'), which: any }) },
		{
			weight: 3,
			arbitrary: fc.record({
				type: fc.constantFrom('process', 'requeue', 'archive'),
				which: any,
			}),
		},
		{ weight: 6, arbitrary: fc.record({ type: fc.constant('poll'), which: fc.nat() }) },
		{ weight: 2, arbitrary: fc.record({ type: fc.constant('failed'), which: fc.nat({ max: 3 }) }) },
		{
			weight: 3,
			arbitrary: fc.record({
				type: fc.constant('pass'),
				which: fc.noBias(fc.integer({ min: 1, max: 960 })),
			}),
		},
	),
	{ minLength: 3, maxLength: 40, size: 'max' },
);

const histories = fc.record({
	steps,
	existing: fc.constantFrom(0, 3, 120),
	maxItems: fc.constantFrom(10, 500),
});

/** What the histories had, together. */
const seen = { late: 0, existing: 0, archived: 0, failed: 0 };

class History {
	private readonly questions: Question[] = [];
	private readonly trigger = story({ question: [], articleReady: [] });
	private failsAt = Infinity;

	constructor(existing: number, maxItems: number) {
		this.trigger.settings.maxItems = maxItems;
		this.trigger.onRequest = () => (this.trigger.sent.length > this.failsAt ? 403 : undefined);
		for (let n = 0; n < existing; n++) {
			const isAnswered = n % 2 === 0;
			const question = this.ask(isAnswered ? `a${n}` : undefined);
			question.wasKnown = { question: true, articleReady: isAnswered };
		}
	}

	async play({ type, which }: { type: string; which: number }): Promise<void> {
		this.trigger.now += HOUR;
		const listed = this.questions.filter(({ status }) => status !== 'archived');
		const one = listed[which % listed.length];
		if (type === 'ask') {
			for (let n = 0; n <= which; n++) this.ask();
		}
		if (type === 'pass') {
			// The trigger polls more often than questions change, so its floor follows them
			await this.poll();
			await this.poll();
			this.trigger.now += which * HOUR;
		}
		if (type === 'poll') await this.poll();
		if (type === 'failed') await this.failedPoll(which);
		if (!one) return;
		if (type === 'answer' && one.articleId === undefined) {
			if (this.trigger.now - one.askedAt > 5 * DAY) seen.late++;
			one.articleId = `a${one.id}`;
		}
		if (type === 'process') one.status = 'processed';
		if (type === 'requeue') one.status = 'new';
		if (type === 'archive') {
			one.status = 'archived';
			seen.archived++;
		}
	}

	/** @returns how many items came */
	async poll(): Promise<number> {
		const listed = this.questions.filter(({ status }) => status !== 'archived');
		this.trigger.lists.question = listed.map((question) => this.listed(question)).reverse();
		this.trigger.lists.articleReady = this.trigger.lists.question;
		const items = await this.trigger.pollItems();
		for (const { id, event } of items) {
			const name = event as keyof Question['times'];
			const question = this.questions.find((one) => one.id === id) as Question;
			if (question.wasKnown[name]) throw new Error(`Known before: ${name} ${question.id}`);
			question.times[name]++;
			if (question.times[name] > 1) throw new Error(`Twice: ${name} ${question.id}`);
		}
		return items.length;
	}

	async finish(): Promise<void> {
		while ((await this.poll()) > 0);
		for (const { id, articleId, status, wasKnown, times } of this.questions) {
			if (wasKnown.articleReady) seen.existing++;
			if (status === 'archived') continue;
			if (!wasKnown.question && times.question !== 1) throw new Error(`Lost: question ${id}`);
			const isDue = articleId !== undefined && !wasKnown.articleReady;
			if (isDue && times.articleReady !== 1) throw new Error(`Lost: articleReady ${id}`);
		}
	}

	private async failedPoll(requests: number): Promise<void> {
		this.trigger.sent = [];
		this.failsAt = requests;
		await this.poll().catch(() => seen.failed++);
		this.failsAt = Infinity;
	}

	private ask(articleId?: string): Question {
		const question: Question = {
			id: `q${this.questions.length}`,
			askedAt: this.trigger.now,
			articleId,
			status: 'new',
			wasKnown: { question: false, articleReady: false },
			times: { question: 0, articleReady: 0 },
		};
		this.questions.push(question);
		return question;
	}

	private listed({ id, askedAt, status, articleId }: Question): One {
		const more: IDataObject = articleId === undefined ? {} : { articleId };
		return {
			id,
			age: (START - askedAt) / DAY,
			status: status === 'processed' ? 'processed' : 'new',
			more,
		};
	}
}

it('Article Ready passes on each question once when it has its article, however late, and none that had it before', async () => {
	const play = async (given: {
		steps: Array<{ type: string; which: number }>;
		existing: number;
		maxItems: number;
	}) => {
		const history = new History(given.existing, given.maxItems);
		await history.poll();
		for (const step of given.steps) await history.play(step);
		await history.finish();
	};
	await fc.assert(fc.asyncProperty(histories, play), { numRuns: amount(60, 3000) });
	// The histories had what they are for
	for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});
