import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import type { FaultSpec } from '../sandbox/sandbox.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { run, type RunResult, useFewRetries } from './engine.mts';
import { at, byId, callOf, failedOf, hintsOf, MODES } from './helpers.mts';
import { recordParameter, TABLE } from './table.mts';

/** Long and unusual enough to be found wherever it turns up */
const API_KEY = 'sv_live_7Zk3-Qp.91xW-key';

useFewRetries(1);
const sandbox = await useSandbox({ apiKey: API_KEY });
const { state } = sandbox;

const action = (parameters: INodeParameters) =>
	at('action.create', { type: 'other', title: 'Fresh', ...parameters });
const competitor = (domain = 'rival.example') => at('competitor.create', { domain });

/** What the sandbox begins with. */
const actions = state.all('action');
const planned = itemAt(actions, 0);
const category = itemAt(state.all('category'), 1);
const title = String(planned.title);
const getting = defined(actions.find(({ citationId, archivedAt }) => citationId && !archivedAt));
const tracked = itemAt(state.all('competitor', { state: 'tracked' }), 0);

const customBody = '{"type":"get_cited","title":"x"}';

/** What leads to each code of the contract; what to do about it is in `nodeErrors.test.mts`. */
const REFUSALS: Record<string, INodeParameters> = {
	'competitor-limit-exceeded': competitor(),
	'competitor-already-exists': competitor(tracked.domain),
	'action-title-already-exists': action({ title }),
	'action-slug-already-exists': action({
		type: 'write_article',
		additionalFields: { slug: planned.slug },
	}),
	'action-reference-not-found': action({ type: 'earn_link', backlinkId: byId('bl_gone') }),
	'action-target-occupied': action({ type: 'get_cited', citationId: byId(getting.citationId) }),
	'action-target-missing': action({ options: { customBody } }),
	'not-property-owner': callOf('indexing.notify', { url: 'https://foreign.example/' }),
	'search-console-not-connected': callOf('indexing.notify'),
	'prompt-limit-exceeded': callOf('prompt.unarchive'),
	'category-name-already-exists': callOf('category.update', { name: category.name }),
};

it.each(Object.entries(REFUSALS))(
	'the refusal %s comes out as an error with its code and status, whether the workflow stops or continues',
	async (code, parameters) => {
		if (code === 'competitor-limit-exceeded') sandbox.setCompetitorLimit(1);
		if (code === 'search-console-not-connected') sandbox.setSearchConsole(false);
		if (code === 'prompt-limit-exceeded') sandbox.setPromptLimit(0);
		const { error, output } = await run(sandbox, { parameters });
		expect(output).toEqual([]);
		const httpCode = /property|console/.test(code) ? '403' : '400';
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode, context: { itemIndex: 0 } });
		expect(error?.description).toContain(`(${code})`);
		const result = await run(sandbox, { parameters, onError: 'continueErrorOutput' });
		expect(result.error).toBeUndefined();
		const { message, description } = error ?? {};
		expect(result.errors.map(({ json }) => json)).toMatchObject([
			{ message, error: { message, description, code, httpCode } },
		]);
	},
);

it.each([...TABLE.keys()].filter(recordParameter))(
	'a record that is missing is called by its name in the error of %s',
	async (name) => {
		const [resource = ''] = name.split('.');
		const noun = resource.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
		const id = byId('ffffffff-0000-4000-8000-000000000000');
		const parameters = callOf(name, { [String(recordParameter(name))]: id });
		const { error } = await run(sandbox, { parameters });
		expect(error).toMatchObject({ httpCode: '404', context: { itemIndex: 0 } });
		expect(error?.message).toMatch(new RegExp(`\\b${noun}\\b.*not found`, 'i'));
		expect(error?.description).toMatch(/right workspace.*not found" \(not-found\)/i);
		expect(sandbox.requests).toHaveLength(1);
	},
);

/** Everything about the run that n8n would store or show. */
const stored = ({ run: result, error, hints }: RunResult) =>
	JSON.stringify([result, error, error && Object.getOwnPropertyDescriptors(error), hints]);

/** What n8n itself keeps of an answer or a request; where the service may put the key is in `secret.test.mts`. */
it.each<[string, FaultSpec]>([
	['a body with it', { kind: 'status', status: 400, body: { message: API_KEY, [API_KEY]: 'x' } }],
	['a redirect', { kind: 'redirect', location: `https://other.example/?key=${API_KEY}` }],
	['none', { kind: 'cutBefore' }],
])('the API key is neither shown nor stored if the answer is %s', async (_name, fault) => {
	sandbox.fault({ ...fault, match: { times: null } });
	const parameters = at('workspace.get');
	for (const onError of MODES.slice(0, 2)) {
		const result = await run(sandbox, { parameters, onError });
		expect(result.error ?? failedOf(result)[0]).toBeDefined();
		// Not even a part of it
		expect(stored(result)).not.toContain(API_KEY.slice(0, 10));
	}
});

/** Which record that is, is in `responses.test.mts` and `run.test.mts`. */
it('an action that exists is returned unchanged if wanted, and a hint says so', async () => {
	const before = state.digest();
	const options = { ifExists: 'returnExisting' };
	const result = await run(sandbox, {
		parameters: action({ title, type: 'write_article', options }),
	});
	expect(result.error).toBeUndefined();
	expect(result.output).toMatchObject([{ json: { id: planned.id }, pairedItem: { item: 0 } }]);
	expect(hintsOf(result)).toEqual(['Returned 1 existing record unchanged.']);
	expect(state.digest()).toBe(before);
});
