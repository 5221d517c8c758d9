import express from 'express';
import type { Sandbox } from './sandbox.mts';

type Call = (...given: never[]) => unknown;

/** Methods of the sandbox over HTTP, for people who try things out: the body has the arguments, as a JSON array. */
export function control(sandbox: Sandbox): express.Router {
	const { edit, setCompetitorLimit, setPromptLimit, setSearchConsole, setVariant } = sandbox;
	const { setLatency, setRateLimit, fault, clearFaults, reset, discover } = sandbox;
	const settings = { setCompetitorLimit, setPromptLimit, setSearchConsole, setVariant };
	const calls = { ...settings, setLatency, setRateLimit, fault, clearFaults, edit, reset };
	const known = new Map(Object.entries<Call>({ ...discover, ...calls }));
	const router = express.Router();
	router.get('/requests', (_request, response) => void response.json(sandbox.requests));
	router.post('/:name', express.json(), (request, response) => {
		const { name } = request.params;
		try {
			const call = known.get(name);
			if (!call) throw new Error(`No ${name} among ${[...known.keys()].join(', ')}`);
			response.json(call(...((request.body ?? []) as never[])) ?? null);
		} catch (error) {
			response.status(400).json({ message: (error as Error).message });
		}
	});
	return router;
}
