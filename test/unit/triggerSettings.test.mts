import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { EVENT_NAMES, type ListedRecord } from '../../nodes/SearchVisibilityTrigger/events.ts';
import type { Criteria } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import {
	criteriaFor,
	passing,
	triggerSettingsIn,
} from '../../nodes/SearchVisibilityTrigger/settings.ts';

/** What the trigger makes of its parameters. */
function read(parameters: IDataObject) {
	const context = {
		getNode: () => ({ name: 'Trigger', type: 'trigger', typeVersion: 1 }),
		getNodeParameter: (path: string, fallback: unknown) =>
			path.split('.').reduce<unknown>((one, name) => Object(one)[name], parameters) ?? fallback,
	};
	return triggerSettingsIn(context as unknown as IPollFunctions);
}

const USUAL = {
	events: ['citedPage', 'question'],
	domain: '',
	ownership: 'any',
	platforms: [],
	// Each event has its own look-back
	lookbackDays: undefined,
	includeProcessed: true,
	emitExisting: false,
	maxItems: 500,
};

describe('the settings of the trigger', () => {
	it('are the defaults where nothing is chosen besides the events', () => {
		expect(read({ events: ['question', 'citedPage'] })).toEqual(USUAL);
		expect(read({ events: ['question', 'citedPage'], filters: {}, options: {} })).toEqual(USUAL);
	});

	it.each([1, 90])('are what was chosen, such as %i look-back days', (lookbackDays) => {
		const filters = { ownership: 'own', platforms: ['search_ai_mode', 'chat_assistant'] };
		const options = { emitExisting: true, includeProcessed: false, lookbackDays, maxItems: 20 };
		const events = ['citedPage'];
		const domain = 'https://Example.com/page';
		const settings = read({ events, filters: { domain, ...filters }, options });
		expect(settings).toEqual({ events, domain: 'example.com', ...filters, ...options });
	});

	it('name each event once, in whatever order they were chosen', () => {
		const events = [...EVENT_NAMES, 'question'].reverse();
		expect(read({ events }).events).toEqual(EVENT_NAMES);
	});

	it('have no filters where no event knows them', () => {
		const filters = { domain: 'example.com', ownership: 'own', platforms: ['chat_assistant'] };
		expect(read({ events: ['question'], filters })).toEqual({ ...USUAL, events: ['question'] });
	});

	it.each<[string, IDataObject, string]>([
		['no event', { events: [] }, "'Trigger On' parameter is empty"],
		['an unknown event', { events: ['page'] }, "'Trigger On' parameter must be one of"],
		['no days', { options: { lookbackDays: 0 } }, "'Look-Back Days' parameter must be a whole"],
		['too many days', { options: { lookbackDays: 91 } }, "'Look-Back Days' parameter"],
		['no items', { options: { maxItems: 0 } }, "'Max Items' parameter"],
		['a wildcard', { filters: { domain: '*.example' } }, "'Domain' parameter must be a domain"],
		['an unknown owner', { filters: { ownership: 'me' } }, "'Ownership' parameter"],
	])('with %s are refused in words for the screen', (_name, changes, words) => {
		expect(() => read({ events: ['citedPage'], ...changes })).toThrow(
			expect.objectContaining({
				name: 'NodeOperationError',
				message: expect.stringContaining(`The ${words}`) as string,
			}) as Error,
		);
	});
});

const EVERYTHING: Criteria = {
	includeProcessed: true,
	domain: '',
	ownership: 'any',
	platforms: [],
};
const NARROW: Criteria = {
	includeProcessed: false,
	domain: 'a.example',
	ownership: 'own',
	platforms: ['chat_assistant', 'answer_engine'],
};

describe('the filter of an event', () => {
	it('is all of it for cited pages, and only whether they are processed for other records', () => {
		expect(criteriaFor('citedPage', NARROW)).toEqual(NARROW);
		for (const event of EVENT_NAMES.filter((name) => name !== 'citedPage')) {
			expect(criteriaFor(event, NARROW)).toEqual({ ...EVERYTHING, includeProcessed: false });
		}
	});

	it.each<[IDataObject, Partial<Criteria>, boolean]>([
		[{ domain: 'www.a.example' }, { domain: 'a.example' }, true],
		[{ domain: 'WWW.A.example' }, { domain: 'w.a' }, true],
		[{ domain: 'b.example' }, { domain: 'a.example' }, false],
		[{}, { domain: 'a.example' }, false],
		[{ domain: 'tea.MÜNCHEN.example' }, { domain: 'xn--mnchen-3ya.example' }, true],
		[{ domain: 'xn--mnchen-3ya.example' }, { domain: 'xn--mnchen-3ya.example' }, true],
		[{ domain: 'not a domain' }, { domain: 'a d' }, true],
		[{ isOwnDomain: true }, { ownership: 'own' }, true],
		[{ isOwnDomain: 1 }, { ownership: 'own' }, true],
		[{ isOwnDomain: 'TRUE' }, { ownership: 'others' }, false],
		[{ isOwnDomain: '0' }, { ownership: 'own' }, false],
		// docs/trigger.md: Others includes pages whose ownership is unknown
		[{ isOwnDomain: null }, { ownership: 'others' }, true],
		[{ isOwnDomain: 'maybe' }, { ownership: 'others' }, true],
		[{ isOwnDomain: 'maybe' }, { ownership: 'own' }, false],
		[{ domain: 'b.example' }, { ownership: 'competitors' }, true],
		[{ domain: 'b.example', isOwnDomain: true }, { ownership: 'competitors' }, false],
		[{ platforms: ['search_ai_mode', 'answer_engine'] }, { platforms: ['answer_engine'] }, true],
		[{ platforms: ['search_ai_mode'] }, { platforms: ['answer_engine'] }, false],
		[{ platforms: null }, { platforms: ['answer_engine'] }, false],
	])('on a page with %j, where it is %j, lets it through: %s', (record, changes, expected) => {
		const listed = { record, isProcessed: false } as ListedRecord;
		const kept = (one: ListedRecord, filter: Partial<Criteria>) =>
			passing([one], { ...EVERYTHING, ...filter }, [{ domain: 'b.example' }]).length === 1;
		expect(kept(listed, changes)).toBe(expected);
		expect(kept({ ...listed, isProcessed: true }, { includeProcessed: false })).toBe(false);
	});
});
