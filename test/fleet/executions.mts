import { createRequire } from 'node:module';

import type { Execution } from '../n8n/client.mts';
import type { Database } from './database.mts';
import type { Start } from './figures.mts';
import { THEN, workspaceOf } from './workflows.mts';

type Stored = Execution['data'];

/** How many executions are read at once. */
const PAGE = 500;

/** The executions that had something new or did not finish, according to n8n's database. */
export async function startsIn(database: Database, n8nBin: string): Promise<Start[]> {
	// n8n stores run data in a packed form, which its own dependency can unpack
	const { parse } = createRequire(n8nBin)('flatted') as { parse(text: string): Stored };
	const starts: Start[] = [];
	for (let last = 0; ; ) {
		const rows = await database.query(
			`SELECT e."id", e."workflowId", d."data" FROM execution_entity e
			JOIN execution_data d ON d."executionId" = e."id"
			WHERE e."id" > ${last} AND (d."data" LIKE '%"${THEN}"%' OR e."status" <> 'success')
			ORDER BY e."id" LIMIT ${PAGE}`,
		);
		starts.push(...rows.map((row) => startOf(String(row.workflowId), parse(String(row.data)))));
		last = Number(rows.at(-1)?.id);
		if (rows.length < PAGE) return starts;
	}
}

function startOf(workflow: string, { resultData, executionData }: Stored): Start {
	const run = resultData.runData[THEN]?.[0];
	const begun = executionData?.nodeExecutionStack[0]?.data.main[0];
	const items: Item[] = run?.data?.main[0] ?? begun ?? [];
	return {
		workspace: workspaceOf(workflow),
		ids: items.map(({ json }) => String(json.id)),
		ranAt: run?.startTime,
	};
}

interface Item {
	json: { id?: unknown };
}
