import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { defined, firstOf, itemAt } from '../defined.mts';
import type { LoggedRequest, Sandbox, SandboxOptions } from '../sandbox/sandbox.mts';
import { TABLE } from './table.mts';

/** Small lists, but enough records of each kind for all items of a play. */
export const SEED: SandboxOptions = {
	seed: {
		// More than two pages
		keyword: 230,
		competitor: 12,
		discoveredCompetitor: 6,
		forumOpportunity: 16,
		twinForumOpportunity: 4,
		question: 30,
		backlink: 40,
		category: 12,
		citedPage: 40,
		action: 10,
		article: 2,
		fanoutQuery: 1,
		prompt: 12,
	},
};
export const MOST_ITEMS = 12;

/** How to write the parameters of a play. */
export interface Writing {
	/** An expression for a field of the item, without its braces */
	field: (name: string) => string;
	/** Text at the end of values, which may differ each time it is read */
	suffix: string;
}

export type Kind = 'create' | 'post' | 'change' | 'remove' | 'read' | 'list';

/** What one item asks for. Parameters refer to its fields, which are all text. */
export interface Item extends IDataObject {
	n: string;
}

/** One operation, as the plays use it. */
export interface Subject {
	name: string;
	kind: Kind;
	/** Creates one item for each record */
	items: (sandbox: Sandbox) => Item[];
	parameters: (writing: Writing) => INodeParameters;
	/** Whether the request does the work for the item, rather than looking something up for it */
	isAbout: (request: LoggedRequest, item: Item) => boolean;
	/** Whether what the item asks for exists at the end */
	holds?: (sandbox: Sandbox, item: Item) => boolean;
	/** The records that the item created; at most one */
	created?: (sandbox: Sandbox, item: Item) => { id: string }[];
	/** The ID of the record that must come out */
	expectedId?: (item: Item) => string | undefined;
	/** Whether the node must reject the item and send nothing */
	isRefused?: (item: Item) => boolean;
	/** For lists: all records that belong in it */
	listed?: (sandbox: Sandbox) => { id: string }[];
	limit?: number | undefined;
	/** Whether order matters to the service, so that requests come one after the other */
	inOrder?: boolean;
	/** Whether the node looks something up before or after the work itself */
	looksUp?: boolean;
	/** Whether one request may carry several items */
	gathers?: boolean;
}

type StoredKind = Parameters<Sandbox['state']['all']>[0];
type Stored = { id: string; archivedAt?: string | null; url?: string };

const all = (sandbox: Sandbox, kind: StoredKind) => [...sandbox.state.all(kind)] as Stored[];
const numbers = Array.from({ length: MOST_ITEMS }, (_, n) => String(n));
const numbered = (): Item[] => numbers.map((n) => ({ n }));

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const byUrl = (value: string) => ({ __rl: true, mode: 'url', value });
const expression = (text: string) => `=${text}`;
const of = ({ field }: Writing, name: string) => `{{ ${field(name)} }}`;

const isOpen = (record: Stored) => !record.archivedAt;
const hasBody = (key: string, fits: (text: string, item: Item) => boolean) => {
	return ({ method, body }: LoggedRequest, item: Item) =>
		method === 'POST' &&
		[(body as IDataObject)?.[key]].flat().some((one) => fits(String(one), item));
};
const isPath = (start: string, end = '') => {
	return ({ method, path }: LoggedRequest, { id }: Item) =>
		method !== 'GET' && path === `${start}/${String(id)}${end}`;
};

const SITE = 'https://www.northwind-tea.example/t';
/** `Note 1` is not `Note 11`, whatever follows it. */
const beginsWith =
	(start: string) =>
	(text: string, { n }: Item) =>
		text === `${start}${n}` || text.startsWith(`${start}${n} `);
const isUrlOf =
	(start: string) =>
	(text: string, { n }: Item) =>
		text === `${start}/${n}` || text.startsWith(`${start}/${n}?`);

function action(
	name: string,
	items: (sandbox: Sandbox) => Item[],
	parameters: (writing: Writing) => INodeParameters,
): Subject {
	const isTitle = beginsWith('Note ');
	return {
		name: `action.create ${name}`.trim(),
		kind: 'create',
		items,
		parameters: (writing) => ({
			title: expression(`Note ${of(writing, 'n')}${writing.suffix}`),
			...parameters(writing),
		}),
		isAbout: hasBody('title', isTitle),
		created: ({ state }, item) =>
			[...state.all('action')].filter(({ title }) => isTitle(String(title), item)),
		inOrder: true,
	};
}

/** Cited pages by URL, as listed or slightly different; some are listed under a domain without `www.`. */
function pagesByUrl(sandbox: Sandbox): Item[] {
	return numbers.map((n) => {
		const i = Number(n);
		const host = i % 4 === 3 ? 'www.bare.example' : `www.site${i}.example`;
		const domain = host.replace(i % 4 === 3 ? 'www.' : '', '');
		const url = `https://${host}/page/${n}`;
		const { id } = sandbox.discover.citedPage({ url, domain });
		return { n, id, url: i % 4 === 1 ? `${url}#part` : i % 4 === 2 ? `${url}/` : url };
	});
}

/** Pages with a finished action and a newer open one of the same type. */
function occupiedPages({ discover }: Sandbox): Item[] {
	return numbers.map((n) => {
		const { id: citationId } = discover.citedPage({ url: `https://www.taken.example/${n}` });
		const given = (day: string) => ({
			type: 'get_cited' as const,
			citationId,
			createdAt: `2026-0${day}-01T00:00:00.000Z`,
		});
		discover.action({ ...given('1'), status: 'done', title: `Finished ${n}` });
		const { id } = discover.action({ ...given('2'), title: `Open ${n}` });
		return { n, citationId, id };
	});
}

/** Every other one is tracked already. */
function domains({ discover }: Sandbox): Item[] {
	return numbers.map((n) => {
		const domain = `rival-${n}.example`;
		if (Number(n) % 2 === 0) return { n, domain };
		const name = `Rival ${n}`;
		return { n, domain, id: discover.competitor({ name, domain, state: 'tracked' }).id };
	});
}

/** Threads by URL: exactly as listed, one of a pair of twins, slightly different, and one that matches two of them. */
function threadsByUrl(sandbox: Sandbox): Item[] {
	const listed = all(sandbox, 'forumOpportunity').filter(isOpen);
	const twins = listed.filter(({ url }) => url?.includes('twins'));
	const others = listed.filter(({ url }) => !url?.includes('twins'));
	const [one, other] = firstOf(others, 2);
	// Not used by other items, so that both stay listed
	const pair = twins.slice(-2);
	const items = [
		...twins.slice(0, -2).map(({ id, url }) => ({ id, url })),
		{ id: one.id, url: `${one.url}/` },
		{ id: other.id, url: `${other.url}#last` },
		// Matches two of them loosely and none exactly
		{ id: 'none', url: `${itemAt(pair, 0).url}#other`, isRefused: 'yes' },
		...others.slice(2).map(({ id, url }) => ({ id, url })),
	];
	return numbers.map((n) => ({ n, ...items[Number(n)] }));
}

const records =
	(kind: StoredKind, fits: (record: never) => boolean = isOpen, changes?: { archivedAt: string }) =>
	(sandbox: Sandbox): Item[] => {
		const fitting = all(sandbox, kind).filter((record) => fits(record as never));
		if (changes) sandbox.state.update(kind, changes);
		return numbers.map((n) => ({ n, id: itemAt(fitting, Number(n)).id }));
	};

const ARCHIVED = { archivedAt: '2026-01-01T00:00:00.000Z' };

/** A change or a deletion of one given record; what is sent comes from the table of operations. */
function onRecord(
	name: string,
	items: (sandbox: Sandbox) => Item[],
	holds: (sandbox: Sandbox, id: string) => boolean,
	more: (writing: Writing) => INodeParameters = () => ({}),
	by: typeof byId = byId,
): Subject {
	const { method, path, fields } = defined(TABLE.get(name));
	const parameter = defined(fields.find(({ sendIn }) => sendIn === 'path')).property.name;
	const isByUrl = by === byUrl;
	const [start = '', end] = path.split('/{id}');
	return {
		name: isByUrl ? `${name} by URL` : name,
		kind: method === 'DELETE' ? 'remove' : 'change',
		items,
		parameters: (writing) => ({
			[parameter]: by(expression(of(writing, isByUrl ? 'url' : 'id'))),
			...more(writing),
		}),
		isAbout: isPath(start, end),
		holds: (sandbox, { id }) => holds(sandbox, String(id)),
		expectedId: ({ id }) => String(id),
		isRefused: ({ isRefused }) => Boolean(isRefused),
		looksUp: isByUrl,
	};
}

type Triaged = 'forumOpportunity' | 'question' | 'backlink';
const isNew = (one: Stored & { status?: string }) => isOpen(one) && one.status === 'new';

const isArchived =
	(kind: 'keyword' | Triaged) =>
	({ state }: Sandbox, id: string) =>
		Boolean(state.get(kind, id)?.archivedAt);

/** Marks records as processed. */
const processing = (kind: Triaged, items = records(kind, isNew), by = byId) =>
	onRecord(
		`${kind}.update`,
		items,
		({ state }, id) => state.get(kind, id)?.status === 'processed',
		() => ({ status: 'processed' }),
		by,
	);

const restoring = (kind: 'keyword' | 'backlink' | 'prompt') =>
	onRecord(
		`${kind}.unarchive`,
		kind === 'prompt' ? records(kind, () => true) : records(kind, () => true, ARCHIVED),
		({ state }, id) => state.get(kind, id)?.archivedAt === null,
	);

const archiving = (kind: 'keyword' | Triaged, items = records(kind), by = byId) =>
	onRecord(`${kind}.archive`, items, isArchived(kind), undefined, by);

function list(
	name: string,
	parameters: INodeParameters,
	kind: StoredKind,
	fits: (record: never) => boolean = isOpen,
	limit?: number,
): Subject {
	return {
		name: limit === undefined ? `${name}.getAll` : `${name}.getAll up to ${limit}`,
		kind: 'list',
		items: numbered,
		parameters: () => ({ returnAll: limit === undefined, ...(limit && { limit }), ...parameters }),
		limit,
		isAbout: ({ method }) => method === 'GET',
		listed: (sandbox) => all(sandbox, kind).filter((record) => fits(record as never)),
	};
}

export const SUBJECTS: Subject[] = [
	action('', numbered, () => ({ type: 'other' })),
	{
		...action('by URL', pagesByUrl, (writing) => ({
			type: 'reply_thread',
			citationId: byUrl(expression(of(writing, 'url'))),
		})),
		looksUp: true,
	},
	{
		...action('that exists', occupiedPages, (writing) => ({
			type: 'get_cited',
			citationId: byId(expression(of(writing, 'citationId'))),
			options: { ifExists: 'returnExisting' },
		})),
		expectedId: ({ id }) => String(id),
		looksUp: true,
	},
	{
		name: 'competitor.create',
		kind: 'create',
		items: numbered,
		parameters: (writing) => ({
			domain: expression(
				`rival-${of(writing, 'n')}${writing.suffix ? `.{{ Math.random() }}` : ''}.example`,
			),
		}),
		isAbout: hasBody('domain', (text, { n }) => text.startsWith(`rival-${n}.`)),
		created: ({ state }, { n }) =>
			[...state.all('competitor')].filter(({ domain }) => domain.startsWith(`rival-${n}.`)),
		inOrder: true,
	},
	{
		name: 'competitor.create that may exist',
		kind: 'create',
		items: domains,
		parameters: (writing) => ({
			domain: expression(of(writing, 'domain')),
			options: { ifExists: 'returnExisting' },
		}),
		isAbout: hasBody('domain', (text, { domain }) => text === domain),
		created: ({ state }, item) =>
			[...state.all('competitor')].filter(({ domain }) => domain === item.domain),
		expectedId: ({ id }) => id as string | undefined,
		inOrder: true,
		looksUp: true,
	},
	{
		name: 'forumOpportunity.create',
		kind: 'create',
		items: numbered,
		parameters: (writing) => ({
			title: 'Which pot?',
			url: expression(
				`https://forum.example/t/${of(writing, 'n')}${writing.suffix ? '?at={{ Math.random() }}' : ''}`,
			),
		}),
		isAbout: hasBody('url', isUrlOf('https://forum.example/t')),
		created: ({ state }, item) =>
			[...state.all('forumOpportunity')].filter(({ url }) =>
				isUrlOf('https://forum.example/t')(url, item),
			),
	},
	{
		name: 'keyword.create',
		kind: 'create',
		items: numbered,
		parameters: (writing) => ({
			keywords: expression(`fresh ${of(writing, 'n')}${writing.suffix}`),
		}),
		isAbout: hasBody('keywords', beginsWith('fresh ')),
		created: ({ state }, item) =>
			[...state.all('keyword')].filter(({ keyword }) => beginsWith('fresh ')(keyword, item)),
		gathers: true,
	},
	{
		name: 'indexing.notify',
		kind: 'post',
		items: numbered,
		parameters: (writing) => ({
			type: 'URL_UPDATED',
			url: expression(
				`${SITE}/${of(writing, 'n')}${writing.suffix ? '?at={{ $now.toMillis() }}' : ''}`,
			),
		}),
		isAbout: hasBody('url', isUrlOf(SITE)),
		holds: ({ state }, item) =>
			state.all('notification').some(({ url }) => isUrlOf(SITE)(url, item)),
	},
	{
		name: 'indexing.inspect',
		kind: 'post',
		items: numbered,
		parameters: (writing) => ({ url: expression(`${SITE}/${of(writing, 'n')}`) }),
		isAbout: hasBody('url', isUrlOf(SITE)),
	},
	{
		name: 'action.generate',
		kind: 'post',
		items: ({ discover }) =>
			numbers.map((n) => ({ n, id: discover.action({ type: 'write_article' }).id })),
		parameters: (writing) => ({ actionId: byId(expression(of(writing, 'id'))) }),
		isAbout: isPath('/v1/actions', '/generate'),
		holds: ({ state }, { id }) => state.get('action', String(id))?.status === 'done',
	},
	processing('question'),
	processing('forumOpportunity', threadsByUrl, byUrl),
	processing('backlink'),
	onRecord(
		'category.update',
		records('category'),
		({ state }, id) => Boolean(state.get('category', id)?.name.startsWith(`New ${id}`)),
		(writing) => ({ name: expression(`New ${of(writing, 'id')}${writing.suffix}`) }),
	),
	restoring('keyword'),
	restoring('backlink'),
	restoring('prompt'),
	archiving('keyword'),
	onRecord(
		'competitor.delete',
		records('competitor', ({ state }: { state: string }) => state === 'tracked'),
		({ state }, id) => state.get('competitor', id)?.state === 'removed',
	),
	archiving('forumOpportunity', threadsByUrl, byUrl),
	archiving('question'),
	archiving('backlink'),
	onRecord(
		'category.delete',
		records('category'),
		({ state }, id) => state.get('category', id) === undefined,
	),
	{
		name: 'workspace.get',
		kind: 'read',
		items: numbered,
		parameters: () => ({ simplify: true }),
		isAbout: ({ method }) => method === 'GET',
	},
	{
		name: 'keyword.getCluster',
		kind: 'read',
		items: records('keyword'),
		parameters: (writing) => ({ keywordId: byId(expression(of(writing, 'id'))) }),
		isAbout: ({ path }, { id }) => path === `/v1/keywords/${String(id)}/cluster`,
	},
	list('keyword', { type: 'all' }, 'keyword'),
	list('keyword', { type: 'all' }, 'keyword', isOpen, 120),
	list(
		'competitor',
		{ scope: 'all' },
		'competitor',
		({ state }: { state: string }) => state !== 'removed',
	),
	list('forumOpportunity', {}, 'forumOpportunity'),
	list('question', {}, 'question'),
	list('question', {}, 'question', isOpen, 12),
	list(
		'backlink',
		{ type: 'mine' },
		'backlink',
		({ own, archivedAt }: { own: boolean; archivedAt: string | null }) => own && !archivedAt,
	),
	list(
		'citedPage',
		{ type: 'new' },
		'citedPage',
		({ status }: { status: string }) => status === 'new',
	),
	list('action', { simplify: false }, 'action'),
];

export function subjectOf(name: string): Subject {
	const found = SUBJECTS.find((subject) => subject.name === name);
	if (!found) throw new Error(`There is no subject ${name}`);
	return found;
}

export const callOf = ({ name, parameters }: Subject, writing: Writing): INodeParameters => {
	const [resource, operation] = itemAt(name.split(' '), 0).split('.');
	return { resource, operation, ...parameters(writing) };
};
