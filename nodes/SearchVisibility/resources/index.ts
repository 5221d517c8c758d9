import type { Resource } from '../operation';
import { contentAction } from './action';
import { backlink } from './backlink';
import { category } from './category';
import { citedPage } from './citedPage';
import { competitor } from './competitor';
import { forumOpportunity } from './forumOpportunity';
import { indexing } from './indexing';
import { keyword } from './keyword';
import { prompt } from './prompt';
import { question } from './question';
import { workspace } from './workspace';

/** Gives each operation without an `action` the usual one, such as "Archive backlink". */
const withActionTexts = ({ operations, ...resource }: Resource): Resource => ({
	...resource,
	operations: operations.map((operation) => ({
		action: `${operation.name} ${resource.name.toLowerCase()}`,
		...operation,
	})),
});

/** Sorted by the name that the editor shows. */
export const RESOURCES: Resource[] = [
	backlink,
	category,
	citedPage,
	competitor,
	contentAction,
	forumOpportunity,
	indexing,
	keyword,
	prompt,
	question,
	workspace,
].map(withActionTexts);
