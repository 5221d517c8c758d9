import { FOLDER } from '../docs/markdown.mts';
import { placeholdersIn } from './placeholders.mts';

/** Says which placeholders are left. Nothing is released or published until there are none: see RELEASING.md. */

const left = placeholdersIn(FOLDER);
for (const one of left) console.error(one);
if (left.length > 0) process.exitCode = 1;
