import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import { runHistory } from './triggerModel.mts';
const found = JSON.parse(readFileSync(new URL('found.json', import.meta.url), 'utf8'));
it('x', async () => { await runHistory(found[0]); });
