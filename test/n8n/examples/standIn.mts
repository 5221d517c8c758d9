import { createServer } from 'node:http';

import express, { json } from 'express';

import { listening } from '../network/servers.mts';
import { kept, type Json } from '../helpers.mts';

/* Other services on 127.0.0.1. */

const serve = async (app: express.Express) =>
	`http://127.0.0.1:${kept(await listening(createServer(app))).port}`;

/** What a website answers for a path. */
export interface SiteFile {
	body: string | Buffer;
	type?: string;
	headers?: Record<string, string>;
}

/** A website with some files, which a test may change; there are no others. */
export async function startSite() {
	const site = { url: '', files: {} as Record<string, SiteFile> };
	const app = express().use(({ path }, response) => {
		const file = site.files[path];
		if (!file) return void response.status(404).send('Not found');
		response.set({ 'Content-Type': file.type ?? 'application/xml', ...file.headers });
		response.send(file.body);
	});
	site.url = await serve(app);
	return site;
}

/** What a model asks for. */
export interface ToolCall {
	tool: string;
	input: Json;
}

/** A language model that supports OpenAI's chat completions: it uses one tool after the other, and then it answers. */
export async function startModel() {
	const words = 'That is all.';
	const model = { url: '', requests: [] as Json[], uses: [] as ToolCall[], words };
	const app = express().use(json({ limit: '10mb' }));
	app.post('/v1/chat/completions', ({ body }, response) => {
		model.requests.push(body);
		const messages = body.messages as Json[];
		const wanted = model.uses[messages.filter(({ role }) => role === 'tool').length];
		const call = wanted && {
			index: 0,
			id: `call_${model.requests.length}`,
			type: 'function',
			function: { name: wanted.tool, arguments: JSON.stringify(wanted.input) },
		};
		const message = {
			role: 'assistant',
			...(call ? { content: null, tool_calls: [call] } : { content: words }),
		};
		const about = { id: 'chatcmpl-stub', created: 0, model: body.model };
		const choice = { index: 0, finish_reason: call ? 'tool_calls' : 'stop' };
		if (!body.stream) {
			const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
			const choices = [{ ...choice, message }];
			return void response.json({ ...about, object: 'chat.completion', choices, usage });
		}
		const choices = [{ ...choice, delta: message }];
		const chunk = { ...about, object: 'chat.completion.chunk', choices };
		response.type('text/event-stream').send(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
	});
	model.url = `${await serve(app)}/v1`;
	return model;
}
