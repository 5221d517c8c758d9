import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Json } from '../helpers.mts';

/** What the model returns in a turn: tool calls or text. */
export type Turn = { calls: Array<{ tool: string; input: Json }> } | { words: string };

/** Decides what to return; `messages` is the conversation so far, including tool results. */
export type Mind = (messages: Json[], request: Json) => Turn;

/** A language model on 127.0.0.1 that supports OpenAI's chat completions and returns what a test wants. */
export class StubModel {
	/** All requests so far. */
	readonly requests: Json[] = [];

	mind: Mind = () => ({ words: 'I have nothing to say.' });

	private constructor(private readonly server: Server) {
		server.on('request', (request, response) => void this.answer(request, response));
	}

	static async start(): Promise<StubModel> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return new StubModel(server);
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked = await bodyOf(request);
		if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end();
		this.requests.push(asked);
		const turn = this.mind(asked.messages, asked);
		const reason = 'calls' in turn ? 'tool_calls' : 'stop';
		const message = messageOf(turn, this.requests.length);
		const about = { id: 'chatcmpl-stub', created: 0, model: asked.model };
		if (!asked.stream) {
			const choices = [{ index: 0, message, finish_reason: reason }];
			const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ ...about, object: 'chat.completion', choices, usage }));
			return;
		}
		const choices = [{ index: 0, delta: message, finish_reason: reason }];
		const chunk = { ...about, object: 'chat.completion.chunk', choices };
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
	}
}

function messageOf(turn: Turn, number: number): Json {
	if ('words' in turn) return { role: 'assistant', content: turn.words };
	const calls = turn.calls.map(({ tool, input }, index) => ({
		index,
		id: `call_${number}_${index}`,
		type: 'function',
		function: { name: tool, arguments: JSON.stringify(input) },
	}));
	return { role: 'assistant', content: null, tool_calls: calls };
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	const text = Buffer.concat(parts).toString();
	return text === '' ? {} : JSON.parse(text);
}
