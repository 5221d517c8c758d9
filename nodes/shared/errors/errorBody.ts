import { isKnownCode } from './errorTexts';
import { shortened } from './requestFailure';
import { isObject } from '../parameters/values';

/**
 * Reads the body of an error, which the contract does not show.
 * @param redact removes the API key from a text, before the text is shortened
 * @returns `code`: a code of contract section 7 anywhere in the body, otherwise the text under `code` or `type`, also inside `error`.
 * `serviceMessage`: the text under `message`, `detail`, `title` or `error`, and `errors` as JSON. Without code and text, this
 * is the whole body as JSON, but never HTML
 */
export function errorIn(given: unknown, redact: (text: string) => string) {
	const body = isDeep(given) ? undefined : given;
	const code = textsIn(body).find(isKnownCode) ?? codeIn(body);
	const isHtml = typeof body === 'string' && body.trimStart().startsWith('<');
	const said = isHtml ? [] : [...new Set(wordsIn(body))].filter((words) => words !== code);
	const saysNothing = said.length === 0 && !code;
	const words = saysNothing && isWorthShowing(body) ? JSON.stringify(body) : said.join('; ');
	return {
		code: code && shortened(redact(code)),
		serviceMessage: shortened(redact(words)),
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
	const given = [body.code, body.type].find((code) => typeof code === 'string' && code !== '');
	return typeof given === 'string' ? given.trim() : codeIn(body.error);
}

function wordsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value.trim()].filter(Boolean);
	if (Array.isArray(value)) return value.flatMap(wordsIn);
	if (!isObject(value)) return [];
	const { message, detail, title, error, errors } = value;
	const words = [message, detail, title, error].map(wordsIn).find(({ length }) => length > 0) ?? [];
	return errors ? [...words, JSON.stringify(errors)] : words;
}
