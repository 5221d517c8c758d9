import type { ExistingIn, OperationOf, Unchecked } from '../../../../contract/operations';
import { bareDomain, hostname } from '../../../shared/parameters/addresses';
import { isGiven } from '../../../shared/parameters/values';
import { inBody } from '../../../shared/parameters/field';
import type { Operation } from '../../operation';
import { customBody, ifExists } from '../common';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create competitor',
	description:
		'Start tracking a competitor by its domain. Its keywords and backlinks are collected later, in the background. Returns the competitor.',
	method: 'POST',
	path: '/v1/competitors',
	answer: 'record',
	// The second time, the code says that it exists
	repeatable: '4.3',
	inOrder: true,
	fields: [
		inBody(
			{
				displayName: 'Domain',
				name: 'domain',
				type: 'string',
				default: '',
				required: true,
				placeholder: 'e.g. example.com',
				description: 'Domain of the competitor. You can also enter the URL of one of its pages.',
			},
			{ check: hostname },
		),
	],
	options: [customBody, ifExists],
	findExisting: (code, { body }) => {
		if (code !== 'competitor-already-exists' || !isGiven(body.domain)) return undefined;
		const wanted = String(bareDomain(body.domain));
		const isSame = ({ domain }: Unchecked<'listCompetitors'>) => bareDomain(domain) === wanted;
		const isSite = ({ domain }: Unchecked<'listCompetitors'>) =>
			withoutWww(bareDomain(domain)) === withoutWww(wanted);
		return {
			path: '/v1/competitors',
			queries: [{ scope: 'tracked' }],
			is: [isSame, isSite],
		} satisfies ExistingIn<'listCompetitors'>;
	},
} satisfies OperationOf<'createCompetitor'>;

const withoutWww = (domain: unknown) => String(domain).replace(/^www\./, '');
