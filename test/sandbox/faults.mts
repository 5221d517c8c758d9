import type { Request, Response } from 'express';

/** They answer in place of the service. */
type EarlyKind =
	| 'status'
	| 'cutBefore'
	| 'malformed'
	| 'empty'
	| 'html'
	| 'envelope'
	| 'hang'
	| 'redirect';
/** They spoil the answer after the work was done. */
type LateKind = 'cutAfter' | 'truncated' | 'huge' | 'drip' | 'lateStatus';
export type FaultKind = EarlyKind | LateKind | 'rateLimit';

export interface FaultMatch {
	method?: string;
	/** A prefix if it starts with "/", otherwise the source of a regular expression. */
	path?: string | RegExp;
	/** Fires on the nth matching request after the fault was set; default 1. */
	nth?: number;
	/** How many requests it hits; default 1, null for all from the nth on. */
	times?: number | null;
	/** These parameters must have these values. */
	query?: Record<string, string | number | boolean>;
}

interface Options {
	match?: FaultMatch;
}

/** The kinds that need more than a name. */
type Particular = 'status' | 'lateStatus' | 'redirect' | 'drip';
export type FaultSpec = Options &
	(
		| {
				/** lateStatus: the work is still done */
				kind: 'status' | 'lateStatus';
				status: number;
				headers?: Record<string, string>;
				body?: unknown;
		  }
		| { kind: 'redirect'; location?: string }
		/** every: milliseconds between bytes */
		| { kind: 'drip'; every?: number }
		| { kind: Exclude<EarlyKind | LateKind, Particular> }
	);

export interface OrderedFault {
	spec: FaultSpec;
	/** Matching requests so far, and how many of them the fault has hit. */
	seen: number;
	fired: number;
}

/** The faults, in the order in which they were set. */
export class Faults {
	readonly ordered: OrderedFault[] = [];

	order(spec: FaultSpec): OrderedFault {
		const fault = { spec, seen: 0, fired: 0 };
		this.ordered.push(fault);
		return fault;
	}

	clear(): void {
		this.ordered.length = 0;
	}

	/** Every matching fault counts the request. The first one that is due hits it; the others stay due. */
	next(request: Request): FaultSpec | undefined {
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
}

function matches(request: Request, { method, path, query }: FaultMatch): boolean {
	if (method && method.toUpperCase() !== request.method) return false;
	if (path && !pathMatches(request.path, path)) return false;
	return Object.entries(query ?? {}).every(
		([name, value]) => String(request.query[name]) === String(value),
	);
}

function pathMatches(path: string, wanted: string | RegExp): boolean {
	if (typeof wanted === 'string' && wanted.startsWith('/')) return path.startsWith(wanted);
	return new RegExp(wanted).test(path);
}

const PADDING = Buffer.alloc(10 * 1024 * 1024, 'x');
const HANG_MS = 60_000;
const DRIP_MS = 100;
const DRIP_LIMIT_MS = 20_000;

const raw =
	(type: string, content: string): Early =>
	(_spec, _request, response) => {
		response.status(200).setHeader('Content-Type', type);
		response.end(content);
	};

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sets status and headers.
 * @returns the body
 */
function statusAnswer(spec: FaultSpec, response: Response): string {
	if (spec.kind !== 'status' && spec.kind !== 'lateStatus') return '';
	const { status, headers = {}, body } = spec;
	const content = body ?? { type: 'injected-fault', message: `Ordered to answer ${status}` };
	if (typeof content !== 'string') response.setHeader('Content-Type', JSON_TYPE);
	response.status(status).set(headers);
	return typeof content === 'string' ? content : JSON.stringify(content);
}

type Early = (spec: FaultSpec, request: Request, response: Response) => void;

const early: Record<EarlyKind, Early> = {
	status: (spec, _request, response) => {
		response.end(statusAnswer(spec, response));
	},
	cutBefore: (_spec, request) => void request.socket.destroy(),
	malformed: raw(JSON_TYPE, '{"data": {"total": 1, oops'),
	empty: raw(JSON_TYPE, ''),
	html: raw('text/html; charset=utf-8', '<!doctype html><title>Bad gateway</title>'),
	envelope: raw(JSON_TYPE, '{}'),
	hang: (_spec, request, response) => {
		const timer = setTimeout(() => request.socket.destroy(), HANG_MS);
		response.once('close', () => clearTimeout(timer));
	},
	redirect: (spec, _request, response) => {
		const location = spec.kind === 'redirect' ? spec.location : undefined;
		response.status(302).setHeader('Location', location ?? '/elsewhere');
		response.end();
	},
};

type End = (content?: unknown) => void;

/** The same answer with a field of 10 MB in the record, wrapped or not, or in the first record of a list. */
function padded(content: Buffer): Buffer {
	const answer = content.length > 0 ? (JSON.parse(content.toString()) as Answer) : {};
	const inside = Array.isArray(answer) ? answer : (answer.data ?? answer);
	const [record = answer] = Array.isArray(inside) ? inside : (inside.items ?? [inside]);
	Object.assign(record, { padding: '' });
	// As bytes, because quoting a text of 10 MB takes long
	const [before, after] = JSON.stringify(answer).split(/(?<="padding":")(?=")/) as [string, string];
	return Buffer.concat([Buffer.from(before), PADDING, Buffer.from(after)]);
}

type Answer = object[] | { data?: object[] | { items?: object[] }; items?: undefined };

type Late = (content: Buffer, end: End, response: Response, spec: FaultSpec) => void;

const late: Record<LateKind, Late> = {
	cutAfter: (_content, _end, response) => void response.socket?.destroy(),
	truncated: (content, end, response) => {
		response.removeHeader('Content-Length');
		end(content.subarray(0, Math.floor(content.length / 2)));
	},
	huge: (content, end, response) => {
		if (response.statusCode === 204) response.status(200);
		response.removeHeader('Content-Length');
		end(padded(content));
	},
	lateStatus: (_content, end, response, spec) => {
		response.removeHeader('Content-Length');
		end(statusAnswer(spec, response));
	},
	/** Byte by byte; if that takes too long, the connection is cut. */
	drip: (content, end, response, spec) => {
		const { every = DRIP_MS } = spec as { every?: number };
		const deadline = Date.now() + DRIP_LIMIT_MS;
		let sent = 0;
		const timer = setInterval(() => {
			if (Date.now() > deadline) response.socket?.destroy();
			else if (sent < content.length) response.write(content.subarray(sent, ++sent));
			else {
				clearInterval(timer);
				end();
			}
		}, every);
		response.once('close', () => clearInterval(timer));
	},
};

/** Whether the work is done although the answer is spoiled. */
const isLate = (kind: FaultKind): kind is LateKind => Object.hasOwn(late, kind);

/** Returns true if this function gave (or refused) the answer, so that the service must not do the work. */
export function play(spec: FaultSpec, request: Request, response: Response): boolean {
	const { kind } = spec;
	if (isLate(kind)) {
		const end = response.end.bind(response) as End;
		response.end = ((content?: string | Buffer) => {
			late[kind](Buffer.from(content ?? ''), end, response, spec);
			return response;
		}) as typeof response.end;
		return false;
	}
	early[kind](spec, request, response);
	return true;
}
