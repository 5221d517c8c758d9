import type { IDataObject, NodeOperationError } from 'n8n-workflow';

import type { Operation, Resource } from '../../nodes/SearchVisibility/operation.ts';
import { RESOURCES } from '../../nodes/SearchVisibility/resources/index.ts';
import { EVENT_NAMES } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { DAY, toDay } from '../../nodes/shared/times.ts';
import { counted } from './facts.mts';
import { Host, TooLong } from './host.mts';
import { Gone, type Service } from './service.mts';

/** One way in which the node reads from the service. */
export interface Read {
	/** As the editor shows it, such as "Keyword > Get Many" */
	name: string;
	/** The path of the operation, if it is one */
	path?: string;
	state: 'works' | 'fails' | 'not tried';
	/** What came, the node's own error, or why it was not tried */
	evidence: string;
}

/** One more than a page has, so that a second page is asked for. */
const LIMIT = 101;

/** How many requests one read may take. */
const MOST_REQUESTS = 100;

/** Why a read is not tried. */
class NotTried extends Error {}

type Work = (host: Host) => Promise<string>;

interface Task {
	name: string;
	path?: string;
	/** The next one is tried if one takes too many requests */
	ways: Work[];
}

/** @returns each read of the node; the rest is not tried once nothing more can be asked */
export async function tryReads(service: Service): Promise<Read[]> {
	const reads: Read[] = [];
	const host = new Host(service, MOST_REQUESTS);
	for (const task of tasks()) reads.push(await tryRead(task, host, service));
	return reads;
}

async function tryRead({ ways, ...task }: Task, host: Host, service: Service): Promise<Read> {
	let why = '';
	for (const way of ways) {
		if (service.gone) return { ...task, state: 'not tried', evidence: service.gone };
		try {
			return { ...task, state: 'works', evidence: await way(host) };
		} catch (error) {
			if (error instanceof TooLong) why = `it takes more than ${MOST_REQUESTS} requests`;
			else if (error instanceof Gone || error instanceof NotTried) why = error.message;
			else return { ...task, state: 'fails', evidence: service.withoutKey(wordsOf(error)) };
		}
	}
	return { ...task, state: 'not tried', evidence: why };
}

function wordsOf(error: unknown): string {
	const { message, description } = error as NodeOperationError;
	return [message, description].filter(Boolean).join('. ').replaceAll('..', '.');
}

function tasks(): Task[] {
	const known = { keyword: '' };
	const operations = RESOURCES.flatMap((resource) =>
		resource.operations
			.filter(({ method }) => method === 'GET')
			.map((operation) => taskOf(resource, operation, known)),
	);
	// The ID in a path is that of a record of a list
	const isOfRecord = ({ path = '' }: Task) => path.includes('{id}');
	return [
		...operations.filter((task) => !isOfRecord(task)),
		...operations.filter(isOfRecord),
		{ name: 'The lists to choose from in the editor', ways: [readChoices] },
		{ name: 'Trigger > Fetch Test Event', ways: [fetchTestEvent] },
		{ name: 'Trigger > two checks', ways: [checkTwice] },
	];
}

/** @param known the IDs of records, for operations that need one, by resource */
function taskOf(resource: Resource, operation: Operation, known: Record<string, string>): Task {
	const { value, name } = resource;
	const { path, returns } = operation;
	const way = (parameters: () => IDataObject) => async (host: Host) => {
		const given = parameters();
		const records = await host.execute({
			resource: value,
			operation: operation.value,
			requestOptions: { concurrency: 1 },
			...given,
		});
		if (returns === 'list' && value in known) known[value] = String(records[0]?.id ?? '');
		return counted(records.length, returns === 'record' ? 'item' : 'record');
	};
	const ways = waysOf(operation, () => known[value] ?? '').map(way);
	return { name: `${name} > ${operation.name}`, path, ways };
}

/** @returns the parameters of an operation, in the ways in which it may be read */
function waysOf(
	{ parameters: parameters, returns, path, execute: compose }: Operation,
	id: () => string,
) {
	if (compose) {
		const yesterday = toDay(Date.now() - DAY);
		const day = { period: 'custom', startDate: yesterday, endDate: yesterday };
		return [() => ({ period: 'last7Days' }), () => day];
	}
	if (returns === 'list') {
		const names = parameters.map(({ property }) => property.name);
		const selector = names.find((name) => ['type', 'scope'].includes(name));
		const all = selector ? { [selector]: 'all' } : {};
		const limited = (limit: number) => () => ({ ...all, returnAll: false, limit });
		return [limited(LIMIT), limited(LIMIT - 1)];
	}
	const record = parameters.find(({ sendIn }) => sendIn === 'path')?.property.name;
	if (!record || !path.includes('{id}')) return [() => ({})];
	return [
		() => {
			if (!id()) throw new NotTried('Get Many found no record for it');
			return { [record]: { __rl: true, mode: 'id', value: id() } };
		},
	];
}

const readChoices: Work = async (host) => {
	let choices = 0;
	for (const name of host.lists) choices += await host.choices(name);
	return `${counted(choices, 'choice')} in ${counted(host.lists.length, 'list')}`;
};

const TRIGGER = { events: EVENT_NAMES };

const fetchTestEvent: Work = async (host) => {
	const found = await host.poll('manual', TRIGGER).catch((error: NodeOperationError) => {
		// That there is nothing yet
		if (error.level === 'info') return [];
		throw error;
	});
	return counted(found.length, 'record');
};

/** All records that exist are new to the first check, and not to the second one. */
const checkTwice: Work = async (host) => {
	const options = { emitExisting: true, maxItems: 1_000_000 };
	const first = await host.poll('trigger', { ...TRIGGER, options });
	const second = await host.poll('trigger', { ...TRIGGER, options });
	const keyOf = ({ event, id }: IDataObject) => JSON.stringify([event, id]);
	const known = new Set(first.map(keyOf));
	const again = second.filter((one) => known.has(keyOf(one)));
	if (again.length > 0) {
		throw new Error(`The second check returned ${counted(again.length, 'record')} again`);
	}
	return `${counted(first.length, 'record')}, then ${second.length} new`;
};
