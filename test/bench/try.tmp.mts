import { withServer } from './remote.mts';
import * as s from './sides.mts';
import { costOf } from './measure.mts';
const ids = (n:number) => Array.from({length: n + 400}, (_, i) => i).filter((i) => i % 26 !== 25).slice(0, n).map((i) => ({ id: `paa_${String(i+1).padStart(4,'0')}`, status: 'processed' }));
await withServer({ kind: 'lean', seed: { keyword: 10416, question: 6000 } }, async (server) => {
	const base = await s.findNodesBase(false);
	const url = server.url + '/v1/keywords';
	const sides: Record<string, s.Side> = {
		node: s.ours({ resource: 'keyword', operation: 'getAll', type: 'all', returnAll: true }),
		limit: s.bareList(url, { type: 'all' }, 100),
		hand: s.byHandList(base!, url, { type: 'all' }),
	};
	await server.latency(20);
	for (const [name, side] of Object.entries(sides)) for (let i=0;i<2;i++) {
		await server.reset();
		let n = 0; let first;
		const cost = await costOf(async () => { const o = await s.execute(server, side); n = o.length; first = o[0].json; });
		console.log(name, n, cost, { ...(await server.stats()), paths: (await server.stats()).paths.slice(0,2) }, JSON.stringify(first).slice(0, 150));
	}
	await server.latency(0);
	const u: Record<string, s.Side> = {
		node: s.ours({ resource: 'question', operation: 'update', questionId: { __rl: true, mode: 'id', value: '={{ $json.id }}' }, status: '={{ $json.status }}' }),
		limit: s.bareUpdate(server.url + '/v1/people-also-ask'),
		declarative: s.declarativeUpdate(),
	};
	for (let r=0;r<2;r++) for (const [name, side] of Object.entries(u)) {
		await server.reset();
		let n = 0; let first;
		const cost = await costOf(async () => { const o = await s.execute(server, side, ids(2000)); n = o.length; first = o[0].json; });
		console.log(name, n, cost, { ...(await server.stats()), paths: 0 }, JSON.stringify(first).slice(0, 150));
	}
});
