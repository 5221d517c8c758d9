import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import * as triggerSettings from '../../nodes/SearchVisibilityTrigger/settings.ts';

/** What the trigger makes of its parameters (nodes/SearchVisibilityTrigger/settings.ts). */
function read(parameters: IDataObject) {
	const context = {
		getNode: () => ({ name: 'Trigger', type: 'trigger', typeVersion: 1 }),
		getNodeParameter: (path: string, fallback: unknown) =>
			path.split('.').reduce<unknown>((one, name) => Object(one)[name], parameters) ?? fallback,
	};
	return triggerSettings.readSettings(context as unknown as IPollFunctions);
}

const USUAL = {
	events: ['citedPage', 'question'],
	domain: '',
	ownership: 'any',
	platforms: [],
	// Each event has its own
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

	it('are what was chosen', () => {
		expect(
			read({
				events: ['citedPage'],
				filters: {
					domain: 'https://Example.com/page',
					ownership: 'own',
					platforms: ['search_ai_mode', 'chat_assistant'],
				},
				options: { emitExisting: true, includeProcessed: false, lookbackDays: 7, maxItems: 20 },
			}),
		).toEqual({
			events: ['citedPage'],
			domain: 'example.com',
			ownership: 'own',
			platforms: ['search_ai_mode', 'chat_assistant'],
			lookbackDays: 7,
			includeProcessed: false,
			emitExisting: true,
			maxItems: 20,
		});
	});

	it.each(['any', 'others'])('know whose pages count: %s', (ownership) => {
		expect(read({ events: ['citedPage'], filters: { ownership } })).toMatchObject({ ownership });
	});

	it('know platforms that the contract does not name yet, but no labels', () => {
		const withPlatforms = (platforms: IDataObject[string]) =>
			read({ events: ['citedPage'], filters: { platforms } });
		expect(withPlatforms('voice_assistant, answer_engine')).toMatchObject({
			platforms: ['voice_assistant', 'answer_engine'],
		});
		expect(() => withPlatforms(['Answer Engine'])).toThrow("'Platforms' parameter");
	});

	it('name the events in the order in which they are read, each once', () => {
		const all = ['question', 'competitor', 'question', 'backlink', 'citedPage'];
		const sorted = ['citedPage', 'backlink', 'competitor', 'question'];
		expect(read({ events: all }).events).toEqual(sorted);
	});

	it('have no filters where no event knows them', () => {
		const filters = { domain: 'example.com', ownership: 'own', platforms: ['chat_assistant'] };
		expect(read({ events: ['question'], filters })).toEqual({ ...USUAL, events: ['question'] });
	});

	it.each<[string, IDataObject, string]>([
		['no event', { events: [] }, "'Trigger On' parameter is empty"],
		['an unknown event', { events: ['page'] }, "'Trigger On' parameter must be one of"],
		[
			'no days',
			{ options: { lookbackDays: 0 } },
			"'Look-Back Days' parameter must be a whole number",
		],
		['too many days', { options: { lookbackDays: 91 } }, "'Look-Back Days' parameter"],
		['no items', { options: { maxItems: 0 } }, "'Max Items' parameter"],
		['a wildcard', { filters: { domain: '*.example' } }, "'Domain' parameter must be a domain"],
		['an unknown owner', { filters: { ownership: 'me' } }, "'Ownership' parameter"],
	])('with %s are refused in words for the screen', (_name, changes, words) => {
		const parameters = { events: ['citedPage'], ...changes };
		expect(() => read(parameters)).toThrow(
			expect.objectContaining({
				name: 'NodeOperationError',
				message: expect.stringContaining(`The ${words}`) as string,
			}) as Error,
		);
	});
});
