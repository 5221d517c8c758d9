import { createServer } from 'node:http';

import express, { json } from 'express';

import { listening } from '../network/servers.mts';
import { kept, type Json } from '../helpers.mts';

/* Other services on 127.0.0.1. */

const serve = async (app: express.Express) =>
	`http://127.0.0.1:${kept(await listening(createServer(app))).port}`;

/** A website with one document, which a test may change. */
export async function startSite() {
	const site = { url: '', document: '' };
	site.url = await serve(express().use((_request, response) => void response.send(site.document)));
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

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** A sitemap of these pages, some of them with the day of their last change. */
export const sitemap = (urls: string[]): string =>
	`${XML}<urlset ${NAMESPACE}>${urls.map(entry).join('')}</urlset>`;

const entry = (url: string, index: number) =>
	`<url>\n<loc>\n${url}\n</loc>${index % 2 ? '<lastmod>2020-01-01</lastmod>' : ''}</url>`;

export const rss = (urls: string[]): string =>
	`${XML}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Blog</title><link>https://blog.example/</link><atom:link href="https://blog.example/feed" rel="self"/>${urls.map((url) => `<item><title>Tea</title><link>${url}</link><guid isPermaLink="false">${url}</guid></item>`).join('')}</channel></rss>`;

/** A feed in Atom, whose entries link to comments as well. */
export const atom = (urls: string[]): string =>
	`${XML}<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title>${urls.map((url) => `<entry><title>Tea</title><link rel="replies" href="${url}/comments"/><link rel="alternate" href="${url}"/></entry>`).join('')}</feed>`;
