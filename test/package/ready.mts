import { parseArgs } from 'node:util';

import { FOLDER } from '../docs/markdown.mts';
import { obstaclesIn } from './placeholders.mts';

/** Says what has to be done before the package can be published; npm publish runs it too. */

const { values } = parseArgs({
	options: { repository: { type: 'string' }, tag: { type: 'string' } },
});

const obstacles = obstaclesIn(FOLDER, values);
for (const one of obstacles) console.error(one);
if (obstacles.length > 0) process.exitCode = 1;
else console.log('Ready to be published.');
