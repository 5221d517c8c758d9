import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { BLOCKS, renewed } from './blocks.mts';

/** Updates the generated parts of the documentation: `npm run generate`. */
for (const file of new Set(BLOCKS.map((block) => block.file))) {
	const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
	writeFileSync(path, renewed(file, readFileSync(path, 'utf8')));
}
