import express from 'express';
import type { Sandbox } from './sandbox.mts';

/** Methods of the sandbox over HTTP, for people who try things out: the body has the arguments, as a JSON array. */
export function control(sandbox: Sandbox): express.Router {
	const methods: Record<string, unknown> = { ...sandbox, ...sandbox.discover };
	const router = express.Router();
	router.get('/requests', (_request, response) => void response.json(sandbox.requests));
	router.post('/:name', express.json(), (request, response) => {
		const { [request.params.name]: method } = methods;
		try {
			if (typeof method !== 'function') throw new Error(`There is no ${request.params.name}`);
			const call = method as (...given: unknown[]) => unknown;
			response.json(call(...((request.body ?? []) as unknown[])) ?? null);
		} catch (error) {
			response.status(400).json({ message: (error as Error).message });
		}
	});
	return router;
}
