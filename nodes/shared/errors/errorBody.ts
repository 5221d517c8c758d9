import { isKnownCode } from './errorTexts';
import { shortened } from './requestFailure';
import { isObject } from '../parameters/values';

/*
 * The contract names codes (section 7), but does not show the body of an error. So these are the usual keys for words, codes
 * and lists of single errors, in lower case and without separators. The first one that is there counts.
 */
const WORDS =
	'message msg errormessage errordescription detail description reason title error'.split(' ');
const CODES = 'type code errorcode error'.split(' ');
const LISTS = 'errors details issues violations messages invalidparams message detail'.split(' ');

const CODE = /^(?!about:blank$)([a-z][a-z0-9+.-]*:\S*[/:#])?([\w.-]{1,64})$/i;
const HTML = /<(!doctype|html|head|body|\?xml)\b/i;

/**
 * @param hide removes the API key from a text, before the text is cut
 * @returns what the body of an error says: a code, and the words, with what else a list of single errors says; or else the
 * body itself, but never a page of HTML
 */
export function readError(body: unknown, hide: (text: string) => string) {
	const places = placesIn(body, hide);
	const texts = places.flatMap(({ key, value }) => {
		const text = typeof value === 'string' ? value : '';
		// A code may end a URI (`type` of RFC 9457)
		return text && text.search(HTML) !== 0 ? { key, text, code: CODE.exec(text)?.[2] ?? '' } : [];
	});
	const under = (key: string) => texts.filter((one) => one.key === key);
	const known = texts.find(({ code }) => isKnownCode(code));
	const { code } = known ?? CODES.flatMap(under).find((one) => one.code) ?? {};
	const isTold = new Set(texts.filter((one) => one.code === code).map(({ text }) => text));
	const said = ['', ...WORDS].map((key) => under(key).filter(({ text }) => !isTold.has(text)));
	const words = (said.find(({ length }) => length > 0) ?? []).map(({ text }) => text);
	for (const text of words) isTold.add(text);
	const tellsMore = (value: unknown) =>
		placesIn(value, hide).some((one) => typeof one.value === 'string' && !isTold.has(one.value));
	const lists = places.filter(({ key }) => LISTS.includes(key)).map(({ value }) => value);
	const isWhole = places.length > 1 && (texts.length === 0 || tellsMore(body));
	const more = words.length > 0 ? lists.find(tellsMore) : isWhole && body;
	const rest = typeof more === 'string' ? more : JSON.stringify(more || '');
	const all = [...new Set([...words, more && !HTML.test(rest) ? rest : ''])];
	return { code, words: shortened(hide(all.filter(Boolean).join('; '))) };
}

/** @returns everything in the body with the key that it is under, outer things first */
function placesIn(body: unknown, hide: (text: string) => string) {
	const tidy = (value: unknown) => (typeof value === 'string' ? hide(value).trim() : value);
	const places = [{ key: '', value: tidy(body) }];
	for (const { key, value } of places) {
		if (Array.isArray(value)) for (const one of value) places.push({ key, value: tidy(one) });
		for (const [name, inner] of isObject(value) ? Object.entries(value) : []) {
			places.push({ key: name.toLowerCase().replace(/[_-]/g, ''), value: tidy(inner) });
		}
	}
	return places;
}
