import fc from 'fast-check';
import { runHistory } from './triggerModel.mts';
import { historyOf } from './triggerSteps.mts';
await fc.assert(fc.asyncProperty(historyOf(), async (h) => void (await runHistory(h))), { numRuns: 200, seed: 3 });
