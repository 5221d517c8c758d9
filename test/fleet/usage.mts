import { readdirSync, readFileSync } from 'node:fs';

/** What processes have used so far, and use now. */
export interface Usage {
	/** Seconds of CPU time since they started. */
	cpu: number;
	/** Bytes of memory in use now. */
	memory: number;
}

interface Process extends Usage {
	pid: number;
	parent: number;
	name: string;
}

/** Linux reports CPU time to all programs in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** What a process and all its descendants use together. */
export function usageOf(pid: number | undefined): Usage {
	const all = processes();
	const family = pid === undefined ? [] : familyOf(pid, all);
	return sum(family);
}

/** What all descendants of this process with this name use together. */
export function usageOfNamed(name: string): Usage {
	return sum(familyOf(process.pid, processes()).filter((one) => one.name === name));
}

export const sum = (all: Usage[]): Usage => ({
	cpu: all.reduce((total, { cpu }) => total + cpu, 0),
	memory: all.reduce((total, { memory }) => total + memory, 0),
});

function familyOf(root: number, all: Process[]): Process[] {
	const family = all.filter(({ pid }) => pid === root);
	// The list grows during the loop
	for (const { pid } of family) family.push(...all.filter(({ parent }) => parent === pid));
	return family;
}

function processes(): Process[] {
	const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	return pids.flatMap((pid) => {
		try {
			return [processFrom(Number(pid), readFileSync(`/proc/${pid}/stat`, 'utf8'))];
		} catch {
			// It has ended in the meantime
			return [];
		}
	});
}

/** The fields are those of proc(5), counted from the one after the name, which may contain spaces. */
function processFrom(pid: number, stat: string): Process {
	const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(stat) ?? [];
	const fields = rest.split(' ').map(Number);
	const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
	return {
		pid,
		name,
		parent: fields[1] ?? 0,
		cpu: (user + system + endedUser + endedSystem) / TICKS_PER_SECOND,
		memory: (fields[21] ?? 0) * PAGE_BYTES,
	};
}
