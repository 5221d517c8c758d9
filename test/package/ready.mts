import { parseArgs } from 'node:util';

import { FOLDER } from '../docs/markdown.mts';
import { obstaclesIn, obstaclesInClone } from './placeholders.mts';

/** Says what has to be done before the package can be published. npm publish runs it too, with --files. */

const { values } = parseArgs({
	options: {
		repository: { type: 'string' },
		tag: { type: 'string' },
		// Not whether the clone can be pushed from: it was, or has a version that is not committed
		files: { type: 'boolean', default: false },
	},
});

const obstacles = obstaclesIn(FOLDER, values);
if (!values.files) obstacles.push(...obstaclesInClone(FOLDER));
for (const one of obstacles) console.error(one);
if (obstacles.length > 0) process.exitCode = 1;
else console.log('Ready to be published.');
