import { parseArgs } from 'node:util';

import { FOLDER } from '../docs/markdown.mts';
import { fillIn } from './placeholders.mts';

/** Writes the owner of the package into all files that name it: see RELEASING.md. */

const { values } = parseArgs({
	options: {
		repository: { type: 'string' },
		author: { type: 'string' },
		email: { type: 'string' },
		reviewers: { type: 'string' },
	},
});
const { repository, author, email, reviewers } = values;

if (!repository || !/^[\w.-]+\/[\w.-]+$/.test(repository))
	throw new Error('--repository is the name on GitHub: OWNER/NAME');
if (!author) throw new Error('--author is a name, also of the copyright holder');
if (!email || !/^[^@\s]+@[^@\s]+$/.test(email)) throw new Error('--email is an address');
if (email.endsWith('.example'))
	throw new Error('--email is an address that people can write to: none ends in .example');
if (!reviewers || !/^@[\w-]+(\/[\w-]+)?( @[\w-]+(\/[\w-]+)?)*$/.test(reviewers))
	throw new Error('--reviewers are people or teams on GitHub: "@NAME @OWNER/TEAM"');

const changed = await fillIn(FOLDER, { repository, author, email, reviewers });
for (const path of changed) console.log(`Changed ${path}`);
