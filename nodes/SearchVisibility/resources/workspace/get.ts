import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from '../../../shared/failure';
import { bareDomain } from '../../../shared/values';
import { simplify } from '../../fields';
import type { Operation } from '../../operation';

const SIMPLE_FIELDS = [
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
];

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get the workspace',
	description: 'Retrieve the brand, domain, audience, tone, market and language of the business',
	method: 'GET',
	path: '/v1/workspace',
	answer: 'record',
	fields: [simplify],
	output: (workspace, { values }) => {
		if (!SIMPLE_FIELDS.some((name) => name in workspace)) throw new RequestFailure('shape');
		return values.simplify === false ? workspace : simplified(workspace);
	},
};

/** The domain is stored as entered, everywhere else it is a bare hostname (contract 2.2). */
function simplified(workspace: IDataObject): IDataObject {
	const fields = SIMPLE_FIELDS.map((name) => [name, workspace[name] ?? null]);
	const domain = bareDomain(workspace.domain) ?? null;
	return { ...(Object.fromEntries(fields) as IDataObject), domain: domain as string | null };
}
