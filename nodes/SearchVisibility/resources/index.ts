import type { Resource } from '../operation';
import { citedPage } from './citedPage';
import { competitor } from './competitor';
import { indexing } from './indexing';
import { keyword } from './keyword';
import { question } from './question';
import { workspace } from './workspace';

/** The table of everything that the node can do, sorted by name as it is shown. */
export const RESOURCES: Resource[] = [
	citedPage,
	competitor,
	indexing,
	keyword,
	question,
	workspace,
];
