import { NodeOperationError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { EventFailure, pollError } from '../../nodes/SearchVisibilityTrigger/errors.ts';
import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';

const NODE = {
	...{ id: '1', name: 'Search Visibility Trigger', type: 'test', typeVersion: 1 },
	position: [0, 0] as [number, number],
	parameters: {},
};
const errorOf = (failures: Array<[EventName, unknown]>, isOfAll = false) =>
	pollError(NODE, new EventFailure(new Map(failures), isOfAll));
const status = new RequestFailure('status', { statusCode: 500 });

describe('the error of a failed poll', () => {
	it.each<[EventName[], string]>([
		[['question'], "'New Related Question'"],
		[['citedPage', 'backlink'], "'New Backlink' and 'New Cited Page'"],
		[
			['question', 'citedPage', 'backlink'],
			"'New Backlink' and 'New Cited Page' and 'New Related Question'",
		],
	])('of %j is that of the first one, and names them if others go on', (events, names) => {
		const failures = events.map((event): [EventName, unknown] => [
			event,
			event === [...events].sort()[0] ? status : new RequestFailure('deadline'),
		]);
		const all = errorOf(failures, true);
		expect(all.message).toBe(pollError(NODE, status).message);
		const { message, description } = errorOf(failures);
		expect(message).toBe(`${all.message} The records for ${names} could not be read.`);
		const rest = 'The other events of this trigger keep working, and no records are lost.';
		expect(description).toBe(`${all.description} ${rest}`);
	});

	it.each<[string, unknown, RegExp]>([
		[
			'a list takes too long',
			errorOf([['backlink', new RequestFailure('deadline')]]),
			/^The service took too long\. Reduce 'Look-Back Days'.* No records are lost.* keep working/,
		],
		[
			'n8n does not answer',
			pollError(NODE, new RequestFailure('pollGivenUp')),
			/^The poll took longer than n8n allows\. If your credentials come from an external .*No records are lost/,
		],
		[
			'the service is busy',
			errorOf([['question', new RequestFailure('status', { statusCode: 429 })]], true),
			/^The service received too many requests\. Set the trigger to poll less often\. No records are lost/,
		],
		[
			'a list lacks records',
			errorOf([['question', new RequestFailure('ties', { missing: 30 })]]),
			/^Some records of this list could not be retrieved\. You need not do anything: .* once a day\. The records for 'New Related Question' are incomplete\. If you see this .* 30 records are missing\.$/,
		],
		[
			'something else is wrong',
			errorOf([['question', new TypeError('It is odd')]]),
			/^It is odd\. The records for 'New Related Question' could not be read\. The other events .* no records are lost\.$/,
		],
	])('says each sentence once: %s', (_, error, expected) => {
		const { message, description } = error as Error & { description: string };
		const text = `${message} ${description}`;
		expect(text).toMatch(expected);
		const sentences = text.split(/(?<=\.) /);
		expect(new Set(sentences).size).toBe(sentences.length);
	});
});

describe('the message of a failed poll, of which n8n shows nothing else while a workflow is published,', () => {
	const shown = (thrown: unknown) => {
		const { message, description } = pollError(NODE, thrown);
		return { message, description };
	};

	it('ends with the first sentence of the advice, which then does not stand in the description', () => {
		const { message, description } = shown(new RequestFailure('status', { statusCode: 409 }));
		const advice = 'Check each value, and that each ID comes from this workspace.';
		expect(message).toBe(`The service rejected the request. ${advice}`);
		expect(description).toMatch(/^No records are lost/);
	});

	it('is not cut within an address', () => {
		expect(shown(new RequestFailure('baseUrl')).message).toMatch(
			/for example https:\/\/[a-z.]+\.$/,
		);
	});

	it.each<{ description?: string }>([{}, { description: 'No sentence' }])(
		'is not longer without advice: %j',
		(more) => {
			const error = new NodeOperationError(NODE, 'Odd', more);
			expect(shown(error)).toEqual({ message: 'Odd', ...more });
		},
	);
});
