import type { NextFunction, Request, Response } from 'express';
import { entryOf } from './requestLog.mts';

interface FaultMatch {
	method?: string;
	/** With which the path begins */
	path?: string;
	/** Fires on the nth matching request after the fault was set; default 1. */
	nth?: number;
	/** How many requests it hits; default 1, null for all from the nth on. */
	times?: number | null;
	/** These parameters must have these values. */
	query?: Record<string, string>;
}

interface Status {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

export type FaultSpec = { match?: FaultMatch } & (
	| { kind: 'cutBefore' | 'empty' | 'html' | 'envelope' | 'hang' }
	| { kind: 'cutAfter' | 'truncated' | 'huge' }
	| { kind: 'redirect'; location?: string }
	/** every: milliseconds between bytes */
	| { kind: 'drip'; every?: number }
	| ({ kind: 'status' | 'lateStatus' } & Status)
);

export interface OrderedFault {
	spec: FaultSpec;
	/** Matching requests so far, and how many of them the fault has hit. */
	seen: number;
	fired: number;
}

/** What comes between client and service: latency, and the faults in the order in which they were set. */
export class Faults {
	readonly ordered: OrderedFault[] = [];
	latency = 0;

	order(spec: FaultSpec): OrderedFault {
		const fault = { spec, seen: 0, fired: 0 };
		this.ordered.push(fault);
		return fault;
	}

	/** Every matching fault counts the request. The first one that is due hits it; the others stay due. */
	#next(request: Request): FaultSpec | undefined {
		let hit: FaultSpec | undefined;
		for (const fault of this.ordered) {
			const { nth = 1, times = 1, ...match } = fault.spec.match ?? {};
			if (!matches(request, match)) continue;
			fault.seen++;
			if (hit || fault.seen < nth || fault.fired >= (times ?? Infinity)) continue;
			fault.fired++;
			hit = fault.spec;
		}
		return hit;
	}

	readonly handle = (request: Request, response: Response, next: NextFunction): void => {
		const fault = this.#next(request);
		if (fault) entryOf(response).fault = fault.kind;
		const proceed = () => {
			if (fault && answer(fault, request, response)) return;
			if (fault) spoil(fault, response);
			next();
		};
		if (this.latency > 0) setTimeout(proceed, this.latency).unref();
		else proceed();
	};
}

function matches(request: Request, { method, path = '', query = {} }: FaultMatch): boolean {
	if (method && method.toUpperCase() !== request.method) return false;
	if (!request.path.startsWith(path)) return false;
	return Object.entries(query).every(([name, value]) => request.query[name] === value);
}

const PADDING = Buffer.alloc(10 * 1024 * 1024, 'x');
const HANG_MS = 60_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sets status and headers.
 * @returns the body
 */
function statusAnswer({ status, headers = {}, body }: Status, response: Response): string {
	const content = body ?? { type: 'injected-fault', message: `Ordered to answer ${status}` };
	if (typeof content !== 'string') response.setHeader('Content-Type', JSON_TYPE);
	response.status(status).set(headers);
	return typeof content === 'string' ? content : JSON.stringify(content);
}

/** What stands for a status and a body of its own. */
const STATUSES: Partial<Record<FaultSpec['kind'], Status>> = {
	empty: { status: 200, headers: { 'Content-Type': JSON_TYPE }, body: '' },
	html: {
		status: 200,
		headers: { 'Content-Type': 'text/html; charset=utf-8' },
		body: '<!doctype html><title>Bad gateway</title>',
	},
	envelope: { status: 200, body: {} },
};

/**
 * Answers instead of the service, which does no work.
 * @returns whether the fault is one that does
 */
function answer(spec: FaultSpec, { socket }: Request, response: Response): boolean {
	let status = STATUSES[spec.kind];
	if (spec.kind === 'status') status = spec;
	if (spec.kind === 'redirect') {
		status = { status: 302, headers: { Location: spec.location ?? '/elsewhere' }, body: '' };
	}
	if (status) response.end(statusAnswer(status, response));
	if (spec.kind === 'cutBefore') socket.destroy();
	if (spec.kind === 'hang') {
		const timer = setTimeout(() => socket.destroy(), HANG_MS);
		response.once('close', () => clearTimeout(timer));
	}
	return status !== undefined || spec.kind === 'cutBefore' || spec.kind === 'hang';
}

/** The same answer with a field of 10 MB in the record, wrapped or not, or in the first record of a list. */
function padded(content: Buffer): Buffer {
	const whole = content.length > 0 ? (JSON.parse(content.toString()) as Answer) : {};
	const inside = Array.isArray(whole) ? whole : (whole.data ?? whole);
	const [record = whole] = Array.isArray(inside) ? inside : (inside.items ?? [inside]);
	Object.assign(record, { padding: '' });
	// As bytes, because quoting a text of 10 MB takes long
	const [before, after] = JSON.stringify(whole).split(/(?<="padding":")(?=")/) as [string, string];
	return Buffer.concat([Buffer.from(before), PADDING, Buffer.from(after)]);
}

type Answer = object[] | { data?: object[] | { items?: object[] }; items?: undefined };

/** The service does the work; what it answers is spoiled. */
function spoil(spec: FaultSpec, response: Response): void {
	const end = response.end.bind(response) as (content?: unknown) => Response;
	response.end = ((given?: string | Buffer) => {
		const content = Buffer.from(given ?? '');
		if (spec.kind === 'cutAfter') response.socket?.destroy();
		if (spec.kind === 'drip') drip(content, end, response, spec.every);
		if (spec.kind === 'cutAfter' || spec.kind === 'drip') return response;
		response.removeHeader('Content-Length');
		if (spec.kind === 'truncated') return end(content.subarray(0, Math.floor(content.length / 2)));
		if (spec.kind === 'lateStatus') return end(statusAnswer(spec, response));
		if (response.statusCode === 204) response.status(200);
		return end(padded(content));
	}) as typeof response.end;
}

/** Byte by byte. */
function drip(content: Buffer, end: () => void, response: Response, every = 100): void {
	let sent = 0;
	const timer = setInterval(() => {
		if (sent < content.length) response.write(content.subarray(sent, ++sent));
		else end();
	}, every);
	response.once('close', () => clearInterval(timer));
}
