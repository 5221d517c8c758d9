import { afterAll, beforeEach } from 'vitest';

import { startSandbox, type Sandbox, type SandboxOptions } from './sandbox.mts';

/** A sandbox for the tests of a file, which each of them finds as it was at the start. */
export async function useSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox(options);
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());
	return sandbox;
}
