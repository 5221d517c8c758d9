import { firstOf } from '../defined.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { STORED_KINDS } from '../sandbox/state.mts';
import type { StoredKind } from '../sandbox/types.mts';

/*
 * The service for the workflows of a version. Its records are frozen with the version, so that those of the sandbox can
 * change.
 */

interface StoredRecord {
	id: string;
	seq: number;
}

export interface Service {
	workspace: Sandbox['state']['workspace'];
	/** In order of arrival */
	records: Array<{ kind: StoredKind } & Omit<StoredRecord, 'seq'>>;
}

/** Long ago, so that nothing that a poll sees is in the future for the machine's clock. */
export const NOW = '2025-06-02T08:00:00.000Z';

const COUNTS = {
	keyword: 12,
	competitor: 3,
	discoveredCompetitor: 3,
	forumOpportunity: 5,
	question: 7,
	backlink: 12,
	category: 2,
	citedPage: 12,
	action: 7,
	article: 2,
	fanoutQuery: 2,
	prompt: 2,
};

/** With so few records, the seed does not archive some of each kind or add two with the same topic. */
function addVariety({ state, edit }: Sandbox): void {
	for (const kind of ['keyword', 'backlink'] as const) {
		const last = [...state.all(kind)].slice(-2);
		for (const { id } of last) edit(kind, id, { archivedAt: NOW });
	}
	const [first, second] = firstOf([...state.all('keyword')], 2);
	edit('keyword', second.id, { topic: first.topic });
	for (const page of state.all('citedPage')) page.citations = page.citations.slice(0, 3);
}

/** @returns a few records of every kind, always the same */
export async function makeService(): Promise<Service> {
	const sandbox = await startSandbox({ seed: COUNTS, now: new Date(NOW) });
	try {
		addVariety(sandbox);
		const records = STORED_KINDS.flatMap((kind) =>
			[...sandbox.state.all(kind)].map((record) => ({ kind, ...record }) as const),
		).sort((a, b) => a.seq - b.seq);
		const { workspace } = sandbox.state;
		return { workspace, records: records.map(({ seq: _, ...record }) => record) };
	} finally {
		await sandbox.close();
	}
}

/**
 * Gives a sandbox exactly these records.
 * @throws if it would number new records differently than before
 */
export function load(sandbox: Sandbox, { workspace, records }: Service): void {
	sandbox.reset();
	const { state } = sandbox;
	state.workspace = structuredClone(workspace);
	for (const { kind, id, ...fields } of structuredClone(records)) {
		const added = state.add(kind, fields as never);
		if (added.id !== id) throw new Error(`The sandbox numbers a ${kind} ${added.id}, not ${id}`);
		if (kind === 'action') state.takePosition();
	}
}
