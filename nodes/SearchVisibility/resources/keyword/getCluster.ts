import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { recordLocator } from '../common';
import type { Operation } from '../../operation';

export const getCluster: Operation = {
	value: 'getCluster',
	name: 'Get Cluster',
	action: 'Get keyword cluster',
	description:
		'Find keywords that mean much the same as a keyword, so that one article can cover them all. Returns one item per similar keyword, or none until the service has indexed the keyword.',
	method: 'GET',
	path: '/v1/keywords/{id}/cluster',
	answer: 'records',
	fields: [inPath(recordLocator('Keyword', 'keywordId', 'searchActiveKeywords'))],
} satisfies OperationOf<'getKeywordCluster'>;
