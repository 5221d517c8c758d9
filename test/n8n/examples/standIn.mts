import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer of a stand-in: a text with status 200, or another status. */
export type Answer = string | number;

/** Another service on 127.0.0.1, such as a website or Slack. It gives the test's answers and records its requests. */
export class StandIn {
	/** Answers by path; any other path does not exist. */
	answers: Record<string, Answer> = {};

	/** The requests so far, in order. */
	readonly requests: Array<{ path: string; body: string }> = [];

	private constructor(private readonly server: Server) {}

	static async start(): Promise<StandIn> {
		const server = createServer((request, response) => void standIn.answer(request, response));
		const standIn = new StandIn(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return standIn;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		let body = '';
		for await (const chunk of request) body += String(chunk);
		const path = request.url ?? '';
		this.requests.push({ path, body });
		const answer = this.answers[path] ?? 404;
		response.statusCode = typeof answer === 'number' ? answer : 200;
		response.end(typeof answer === 'number' ? '' : answer);
	}
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
