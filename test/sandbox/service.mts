import * as OpenApiValidator from 'express-openapi-validator';
import express, { type NextFunction, type Request, type Response } from 'express';
import { openapi } from './document.mts';
import type { OperationId } from '../../contract/operations.d.ts';
import { handlers } from './operations/index.mts';
import { Refusal } from './operations/operation.mts';
import { entryOf } from './requestLog.mts';
import type { State } from './state.mts';

export interface ResponseViolation {
	method: string;
	path: string;
	status: number;
	message: string;
}

/** What the validator adds to a request that it knows. */
interface Validated {
	openapi?: {
		schema: {
			operationId: string;
			requestBody?: object;
			responses: Record<number, { content?: object }>;
		};
		pathParams: Record<string, string>;
	};
}

/** The workspace that a request is for. */
type StateOf = (response: Response) => State;

/** The service proper: checks the request against the document, does the work, checks the answer. */
export function service(
	{ validateResponses = true }: { validateResponses?: boolean },
	stateOf: StateOf,
): express.RequestHandler[] {
	const key = String(validateResponses);
	const validator = validators[key] ?? newValidator(validateResponses);
	validators[key] = validator;
	return [refuseLoose, ...validator, (request, response) => dispatch(stateOf, request, response)];
}

/** Reading the document takes most of the start-up time, and the result does not depend on the sandbox. */
const validators: Record<string, express.RequestHandler[]> = {};

const newValidator = (validateResponses: boolean) =>
	OpenApiValidator.middleware({
		apiSpec: openapi as unknown as Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'],
		// The document is constant, and its lint is part of the tests.
		validateApiSpec: false,
		validateRequests: true,
		validateResponses: validateResponses && {
			onError: (error, _body, request) => {
				throw new Violation(error.message, request);
			},
		},
		validateSecurity: {
			handlers: { bearer: ({ res }) => res !== undefined && entryOf(res).workspace >= 0 },
		},
		ajvFormats: { mode: 'full', formats: ['date', 'date-time', 'uuid'] },
		fileUploader: false,
	});

class Violation extends Error {
	constructor(
		message: string,
		readonly request: Request,
	) {
		super(message);
	}
}

/**
 * Two things that the validator would let pass: a path with a trailing slash (a request for a record without its ID),
 * and `status[]=new`, a convention of some clients that this service does not share.
 */
function refuseLoose(request: Request, _response: Response, next: NextFunction): void {
	if (request.path.endsWith('/'))
		throw new Refusal(404, 'not-found', `There is no ${request.path}`);
	const name = Object.keys(request.query).find((key) => key.includes('['));
	if (name) throw new Refusal(400, 'validation-failed', `Unknown query parameter '${name}'`);
	next();
}

function dispatch(stateOf: StateOf, request: Request, response: Response) {
	const { schema: operation, pathParams } = (request as Validated).openapi ?? {};
	if (!operation) throw new Refusal(404, 'not-found', `There is no ${request.path}`);
	try {
		if (!operation.requestBody && hasBody(request)) {
			throw new Refusal(400, 'validation-failed', 'This operation takes no body');
		}
		const { query, body } = request;
		const id = pathParams?.id ?? '';
		const handler = handlers[operation.operationId as OperationId];
		const answer = handler(stateOf(response), { id, query, body });
		entryOf(response).served = answer.status;
		response.status(answer.status);
		if (answer.body !== undefined) return void response.json(answer.body);
		const documented = operation.responses[answer.status];
		// The validator only checks answers that have a body
		if (!documented || documented.content) throw new Violation('a body is missing', request);
		response.end();
	} catch (error) {
		// Answered here rather than by the error handler, so that refusals are validated like other answers.
		if (!(error instanceof Refusal)) throw error;
		entryOf(response).served = error.status;
		response.status(error.status).json({ type: error.type, message: error.message });
	}
}

const hasBody = ({ headers }: Request) =>
	Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;

const types: Record<number, string> = {
	400: 'validation-failed',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not-found',
	405: 'method-not-allowed',
	413: 'body-too-large',
	415: 'unsupported-media-type',
};

/**
 * Turns anything that was thrown into the error body. Whatever is not a refusal is a mistake in the sandbox, so it is
 * reported loudly.
 */
export function errorHandler(violations: ResponseViolation[]): express.ErrorRequestHandler {
	// Express recognizes error handlers by their four parameters.
	return (error: unknown, _request, response, _next) => {
		if (error instanceof Violation) {
			const { method, originalUrl: path } = error.request;
			violations.push({ method, path, status: response.statusCode, message: error.message });
			const message = `The sandbox broke its own document at ${method} ${path}: ${error.message}`;
			response.status(500).json({ type: 'response-violation', message });
			return;
		}
		const { status = 500, message } = error as { status?: number; message: string };
		const type = error instanceof Refusal ? error.type : (types[status] ?? 'sandbox-failure');
		response.status(status).json({ type, message: `${message}` });
	};
}
