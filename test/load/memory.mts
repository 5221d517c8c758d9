import { setTimeout as sleep } from 'node:timers/promises';

import type { Memory } from '../n8n/instance.mts';
import type { N8nServer } from '../n8n/server.mts';

export type Side = 'ours' | 'control';

/** How much memory n8n used after this many executions of each side. */
export interface Measurement extends Memory {
	executions: Record<Side, number>;
}

const MB = 1024 ** 2;
const SETTLE_MS = 2000;

/** Measures n8n once it is idle. */
export async function measure(
	server: N8nServer,
	executions: Record<Side, number>,
): Promise<Measurement> {
	await sleep(SETTLE_MS);
	return { ...(await server.memory()), executions: { ...executions } };
}

/**
 * How many bytes one more execution of each side leaves behind: the least-squares plane through the measurements, live
 * = base + ours * (executions of ours) + control * (executions of control).
 */
export function growth(measurements: Measurement[]): Record<Side, number> {
	const mean = (of: (one: Measurement) => number) =>
		measurements.reduce((sum, one) => sum + of(one), 0) / measurements.length;
	const ours = (one: Measurement) => one.executions.ours;
	const control = (one: Measurement) => one.executions.control;
	const live = (one: Measurement) => one.live;
	const together = (a: typeof live, b: typeof live) =>
		mean((one) => a(one) * b(one)) - mean(a) * mean(b);
	const [oo, cc, oc] = [together(ours, ours), together(control, control), together(ours, control)];
	const [ol, cl] = [together(ours, live), together(control, live)];
	const determinant = oo * cc - oc * oc;
	return {
		ours: (ol * cc - cl * oc) / determinant,
		control: (cl * oo - ol * oc) / determinant,
	};
}

export const megabytes = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;
