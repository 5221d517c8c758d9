/** @returns a function that hides a secret in text before it is cut: as it is, and as JSON (also within JSON) and URLs write it */
export function hiderOf(secret: string): (words: string) => string {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
	const forms = [JSON.stringify(inJson).slice(1, -1), inJson, inJson.replaceAll('/', '\\/')];
	const escaped = [...forms, encodeURIComponent(secret), inForm, secret].map((form) =>
		form.replace(/\W/g, '\\$&'),
	);
	const pattern = new RegExp(escaped.join('|'), 'gi');
	return (words) => words.replace(pattern, '***');
}
