import fc from 'fast-check';

// The same values for every mutant and in every run, or the score would not be the same twice
fc.configureGlobal({ seed: 1, numRuns: 30, endOnFailure: true });
