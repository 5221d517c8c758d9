import type { Answer, OperationOf } from '../../../contract/operations';
import { RequestFailure } from '../../shared/errors/requestFailure';
import { bareDomain } from '../../shared/parameters/addresses';
import type { Operation, Resource } from '../operation';
import { notice, outputParameters } from './common';

const FIELDS = [
	'id',
	'name',
	'brandName',
	'domain',
	'businessDescription',
	'targetAudience',
	'toneOfVoice',
	'industry',
	'location',
	'language',
] satisfies Array<keyof Answer<'getWorkspace'>>;

const get: Operation = {
	value: 'get',
	name: 'Get',
	description:
		'Retrieve the workspace: brand, domain, audience, tone of voice, market, and language',
	builderHint:
		'Use it before writing content: brand, domain, audience, tone of voice, market and language.',
	method: 'GET',
	path: '/v1/workspace',
	returns: 'record',
	parameters: [
		notice(
			'Shows whose key the selected credential has. n8n selects a credential by itself in each node that you add, so check it there, too.',
		),
		...outputParameters,
	],
	toOutput: (workspace = {}) => {
		if (!FIELDS.some((name) => name in workspace)) throw new RequestFailure('shape');
		return workspace;
	},
	// The service keeps the domain as entered, but everywhere else a domain is a bare hostname (contract 2.2)
	simplify: (workspace) => ({
		...Object.fromEntries(FIELDS.map((name) => [name, workspace[name] ?? null])),
		domain: bareDomain(workspace.domain ?? null),
	}),
} satisfies OperationOf<'getWorkspace'>;

/** Contract 4.1. */
export const workspace: Resource = {
	value: 'workspace',
	name: 'Workspace',
	description: 'Your business profile in the service: brand, domain, audience, and market',
	defaultOperation: get,
	operations: [get],
};
