import { NodeOperationError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { EventFailure, pollError } from '../../nodes/SearchVisibilityTrigger/errors.ts';
import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import { NODE } from './nodeContext.mts';

const errorOf = (failures: Array<[EventName, unknown]>, isOfAll = false) =>
	pollError(NODE, new EventFailure(new Map(failures), isOfAll));
const status = new RequestFailure('status', { statusCode: 500 });

describe('the error of a failed poll', () => {
	it.each<[EventName[], string]>([
		[['question'], "'New Related Question'"],
		[['citedPage', 'backlink'], "'New Backlink' and 'New Cited Page'"],
	])('of %j is that of the first one, and names them if others go on', (events, names) => {
		const [first] = [...events].sort();
		const failures = events.map((event): [EventName, unknown] => [
			event,
			event === first ? status : new RequestFailure('deadline'),
		]);
		const all = errorOf(failures, true);
		expect(all.message).toBe(pollError(NODE, status).message);
		const { message, description } = errorOf(failures);
		expect(message).toBe(`${all.message} The records for ${names} could not be read.`);
		const rest = 'The other events of this trigger keep working, and no records are lost.';
		expect(description).toBe(`${all.description} ${rest}`);
	});

	it('is that of an event that could not be read, even if another one is only incomplete', () => {
		const incomplete = new RequestFailure('ties', { missing: 3 });
		const { message } = errorOf([
			['backlink', incomplete],
			['question', status],
		]);
		const alone = pollError(NODE, status).message;
		const names = "'New Backlink' and 'New Related Question'";
		expect(message).toBe(`${alone} The records for ${names} could not be read.`);
	});

	const failed = (...given: ConstructorParameters<typeof RequestFailure>) =>
		errorOf([['question', new RequestFailure(...given)]]);
	const givenUp = pollError(NODE, new RequestFailure('pollGivenUp'));
	const busy = failed('status', { statusCode: 429 });
	const late = failed('network', { code: 'ETIMEDOUT' });
	const partial = failed('ties', { missing: 30 });
	const odd = errorOf([['question', new TypeError('It is odd')]]);
	it.each([
		[failed('deadline'), /too long\. .* 'Look-Back Days'.* No records are lost.* keep/],
		[givenUp, /^The poll took .* an external .*No records are lost/],
		[busy, /too many requests\. .* poll less often\. .* are lost/],
		[failed('status', { statusCode: 503 }), /^.*\. If it keeps happening, contact .*are lost/],
		[failed('status', { statusCode: 401 }), /\. Open the credential .*are lost/],
		[
			late,
			/in time\. If it keeps happening, check the 'Base URL' .*'Timeout' in the credential.*are lost/,
		],
		[partial, /You need not do anything: .* incomplete\. .* 30 records/],
		[
			failed('competitors', { missing: 3 }),
			/complete list of tracked competitors\. .* could not be read\. No records are lost/,
		],
		[failed('firstCheck'), /whole list\. The next poll repeats it, .* incomplete\. /],
		[odd, /^It is odd\. .* could not be read\. .* no records are lost\.$/],
	])('(%s) gives advice that a trigger can follow, each sentence once', (error, expected) => {
		const text = `${error.message} ${error.description}`;
		expect(text).toMatch(expected);
		expect(text).not.toMatch(/Requests at Once|Run the node|[Tt]ry again/);
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
