import type { Outcome } from './messages.mts';

/*
 * What the expressions in the note beside "Your CMS" make of messages. Whoever copies one changes only names, so the
 * messages have the names of the note.
 */

interface Template {
	/** The kind of message that it is for. */
	about: string;
	/** The end of the sentence in front of it. */
	after: string;
	rows: Array<[what: string, body: object, outcome: Outcome]>;
}

const BLOG = '/blog/first-flush';
const [UPDATED, REMOVED] = [{ updated: BLOG }, { removed: BLOG }];
const LATER = '2999-01-01T00:00:00Z';

const post = (event: string, more: object = {}) => ({
	...{ slug: 'first-flush', type: 'post', date: '2020-01-01T00:00:00Z', event, ...more },
});
const saved = (status: string, more: object = {}) => post('post.saved', { status, ...more });
const changed = (before?: string, after?: string, type = 'post') => ({
	slug: 'first-flush',
	before: before && { type, status: before },
	after: after && { type, status: after },
});

export const TEMPLATES: Template[] = [
	{
		about: 'an event for each change',
		after: 'so that they fail visibly:',
		rows: [
			['published', post('post.published'), UPDATED],
			['unpublished', post('post.unpublished'), REMOVED],
			['deleted', post('post.deleted'), REMOVED],
			['an unknown event', post('post.viewed'), 'fails'],
			['an author', post('post.published', { type: 'author' }), 'fails'],
			['a part of the address is missing', post('post.published', { slug: '' }), 'fails'],
		],
	},
	{
		about: 'an event with the status afterwards',
		after: 'Add the time zone to a date that has none, and `* 1000` to one in seconds:',
		rows: [
			['published', saved('live'), UPDATED],
			['planned', saved('live', { date: LATER }), 'nothing'],
			['without a date', saved('live', { date: null }), 'fails'],
			['a date that is none', saved('live', { date: '26/11/2026 at 8' }), 'fails'],
			['a public post becomes a draft', saved('draft'), REMOVED],
			['a public post becomes private', saved('private'), REMOVED],
			['unpublished, and a draft now', post('post.unpublished', { status: 'draft' }), REMOVED],
			['deleted while it was public', post('post.deleted', { status: 'live' }), REMOVED],
			['an unknown status', saved('review'), 'fails'],
			['an unknown event', post('post.viewed', { status: 'live' }), 'fails'],
			['an author', saved('live', { type: 'author' }), 'fails'],
		],
	},
	{
		about: 'the state before and after the change',
		after: 'If a message has the state before and after the change:',
		rows: [
			['published', changed('draft', 'live'), UPDATED],
			['created and published', changed(undefined, 'live'), UPDATED],
			['changed', changed('live', 'live'), UPDATED],
			['a public post becomes a draft', changed('live', 'draft'), REMOVED],
			['a public post becomes private', changed('live', 'private'), REMOVED],
			['a public post gets an unknown status', changed('live', 'review'), REMOVED],
			['deleted', changed('live', undefined), REMOVED],
			['a draft changed', changed('draft', 'draft'), 'nothing'],
			['a draft created', changed(undefined, 'draft'), 'nothing'],
			['a draft deleted', changed('draft', undefined), 'nothing'],
			['an unknown status', changed('draft', 'review'), 'fails'],
			['an unknown status before', changed('review', 'draft'), 'fails'],
			['lists of statuses', changed(['live'] as never, ['draft'] as never), 'fails'],
			['neither state', changed(undefined, undefined), 'fails'],
			['an author', changed('draft', 'live', 'author'), 'fails'],
		],
	},
];
