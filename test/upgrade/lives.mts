import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { nodeOf, TRIGGER_TYPE, triggerOf } from '../engine/engine.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { sentOf, settled, unsettled, type Sent } from './play.mts';
import { load, NOW, type Service } from './service.mts';

type Kind = 'backlink' | 'citedPage' | 'competitor' | 'question';

/** One poll, and what happened in the service before it. */
export interface Step {
	found: Array<{ kind: Kind; record: IDataObject }>;
	processed: Array<{ kind: Exclude<Kind, 'competitor'>; id: string }>;
	requests: Sent[];
	emitted: IDataObject[];
	/** The static data of the node after the poll */
	memory: IDataObject;
}

/** The trigger of a published workflow over several polls. */
export interface Life {
	node: INode;
	steps: Step[];
}

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.parse(NOW) + hours * HOUR).toISOString();

type Plan = Pick<Step, 'found' | 'processed'>;

let number = 0;
const page = (hours: number, more: IDataObject = {}) => {
	const url = `https://site${++number}.example/page`;
	const seenAt = { firstSeenAt: at(hours), lastSeenAt: at(hours) };
	return {
		kind: 'citedPage' as const,
		record: { url, title: `Found ${number}`, ...seenAt, ...more },
	};
};
const question = (hours: number) => ({
	kind: 'question' as const,
	record: { question: `Found ${++number}?`, createdAt: at(hours) },
});
const competitor = (hours: number) => ({
	kind: 'competitor' as const,
	record: { name: `Found ${++number}`, domain: `found${number}.example`, createdAt: at(hours) },
});
const backlink = (hours: number) => ({
	kind: 'backlink' as const,
	record: {
		domainFrom: `found${++number}.example`,
		urlFrom: `https://found${number}.example/`,
		firstSeen: at(hours),
	},
});

const quiet: Plan = { found: [], processed: [] };

/** First poll, discovery, second poll, late records, third poll, nothing, fourth poll. */
const plans = (): Plan[] => [
	quiet,
	{
		found: [
			page(1),
			page(2, { url: 'https://www.northwind-tea.example/found', platforms: ['answer_engine'] }),
			page(3, { platforms: ['answer_engine', 'search_ai_mode'] }),
			page(4, { url: 'https://rival.example/found', status: 'processed' }),
			question(1.5),
			question(2.5),
			question(2.75),
			competitor(1.25),
			backlink(1.75),
			backlink(2.25),
		],
		processed: [{ kind: 'question', id: 'paa_0001' }],
	},
	{
		found: [
			// Late, but within the look-back of three days
			page(-40),
			question(-41),
			backlink(-42),
			competitor(-43),
			// Older than the longest look-back below
			question(-24 * 60),
			backlink(-24 * 60),
			// At the same time as a record that was emitted
			question(2.5),
			page(5, { platforms: ['search_ai_overview'] }),
		],
		processed: [{ kind: 'backlink', id: 'bl_0013' }],
	},
	quiet,
];

const ALL = ['citedPage', 'question', 'competitor', 'backlink'];

/** The settings of the triggers. */
const SETTINGS: Record<string, INodeParameters> = {
	'Only defaults': {},
	'All events': { events: ALL },
	'All parameters': {
		events: ALL,
		filters: {
			domain: 'example',
			ownership: 'others',
			platforms: ['answer_engine', 'chat_assistant', 'search_ai_overview'],
		},
		options: { emitExisting: false, includeProcessed: false, lookbackDays: 5, maxItems: 100 },
	},
	'Own pages': { events: ['citedPage'], filters: { ownership: 'own' } },
	'Domain as a URL': { events: ['citedPage'], filters: { domain: 'https://Rival.example/x' } },
	'Emit existing': { events: ALL, options: { emitExisting: true } },
	'Max items': { events: ['question'], options: { maxItems: 2 } },
	'Max items of several events': {
		events: ['citedPage', 'question'],
		options: { maxItems: 5, emitExisting: true },
	},
	'Long look-back': { events: ALL, options: { lookbackDays: 90 } },
};

/** Polls until nothing more comes, at most this often for each plan, because Max Items holds back records. */
const MOST_POLLS = 12;

export async function liveAll(sandbox: Sandbox, service: Service): Promise<Life[]> {
	const lives: Life[] = [];
	for (const [name, parameters] of Object.entries(SETTINGS)) {
		number = 0;
		const pollTimes = { item: [{ mode: 'everyHour', minute: 0 }] };
		const credentials = { searchVisibilityApi: { id: '1', name: 'Sandbox' } };
		const node = nodeOf({
			name,
			type: TRIGGER_TYPE,
			parameters: { pollTimes, ...parameters } as INodeParameters,
			credentials,
		});
		lives.push({ node, steps: await live(sandbox, service, node) });
	}
	return lives;
}

async function live(sandbox: Sandbox, service: Service, node: INode): Promise<Step[]> {
	const steps: Step[] = [];
	load(sandbox, service);
	const trigger = triggerOf(sandbox, node.parameters);
	for (const plan of plans()) {
		happen(sandbox, plan);
		for (let n = 1; n <= MOST_POLLS; n++) {
			const polled = await pollOnce(sandbox, trigger);
			steps.push({ ...(n === 1 ? plan : quiet), ...polled });
			if (polled.emitted.length === 0) break;
		}
	}
	return steps;
}

/** What the service's background processes and users do. */
export function happen({ discover, edit }: Sandbox, { found, processed }: Plan): void {
	for (const { kind, record } of found) discover[kind](record as never);
	for (const { kind, id } of processed) edit(kind, id, { status: 'processed' });
}

type Trigger = ReturnType<typeof triggerOf>;

async function pollOnce(sandbox: Sandbox, trigger: Trigger) {
	sandbox.clearLog();
	const [items = []] = (await trigger.poll()) ?? [];
	return settled(
		{
			requests: sentOf(sandbox.requests),
			emitted: items.map(({ json }) => json),
			memory: trigger.state(),
		},
		sandbox,
	);
}

/** @returns the poll after which n8n last stored the state: it does so on activation and when a poll emits */
export function storedAfter({ steps }: Life, after: number): number {
	return Math.max(1, steps.slice(0, after).findLastIndex(({ emitted }) => emitted.length > 0) + 1);
}

/**
 * Lets the trigger continue from the state that was stored after some of its polls.
 *
 * @param after how many polls have run; 0 for a trigger without state
 * @param stored the poll whose state it has
 * @returns what each of the other polls sent and emitted, followed by two more polls
 */
export async function goOn(
	sandbox: Sandbox,
	service: Service,
	life: Life,
	after: number,
	stored = after,
) {
	load(sandbox, service);
	const trigger = triggerOf(sandbox, life.node.parameters);
	for (const step of life.steps.slice(0, after)) happen(sandbox, step);
	const memory = life.steps[stored - 1]?.memory ?? {};
	Object.assign(trigger.state(), unsettled(memory, sandbox));
	const polls = [];
	for (const step of [...life.steps.slice(after), quiet, quiet]) {
		happen(sandbox, step);
		polls.push(await pollOnce(sandbox, trigger));
	}
	return polls;
}
