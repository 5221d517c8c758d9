import { isKnownCode } from './errorTexts';
import { shortened } from './requestFailure';
import { isObject } from '../parameters/values';

/**
 * The contract names codes (section 7), but does not show the body of an error.
 * @param redact removes the API key from a text, before the text is cut
 * @returns `code`: a code of the contract, wherever it is in the body, otherwise what is under `code` or `type`. `serviceMessage`:
 * what is under `message`, `detail`, `title` or `error`, with `errors` as JSON. If there is neither: the body as JSON, never HTML
 */
export function readError(given: unknown, redact: (text: string) => string) {
	const body = isDeep(given) ? undefined : given;
	const code = textsIn(body).find(isKnownCode) ?? codeIn(body);
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	const said = isPage ? [] : [...new Set(wordsIn(body))].filter((words) => words !== code);
	const rest = said.length > 0 || code || !isWorthShowing(body) ? '' : JSON.stringify(body);
	return {
		code: code && shortened(redact(code)),
		serviceMessage: shortened(redact(said.join('; ') || rest)),
	};
}

/** Protects the recursive functions below from a stack overflow. */
function isDeep(value: unknown, levels = 50): boolean {
	if (typeof value !== 'object' || !value) return false;
	return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1));
}

const isWorthShowing = (body: unknown) => isObject(body) && Object.keys(body).length > 0;

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value.trim()];
	return typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [];
}

function codeIn(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const own = [body.code, body.type].find((code) => typeof code === 'string' && code !== '');
	return typeof own === 'string' ? own.trim() : codeIn(body.error);
}

function wordsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value.trim()].filter(Boolean);
	if (Array.isArray(value)) return value.flatMap(wordsIn);
	if (!isObject(value)) return [];
	const { message, detail, title, error, errors } = value;
	const own = [message, detail, title, error].map(wordsIn).find(({ length }) => length > 0) ?? [];
	return errors ? [...own, JSON.stringify(errors)] : own;
}
