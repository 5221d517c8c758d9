/**
 * Takes the API key out of words before anybody cuts them: a part of a key is a secret as well.
 * @returns a function that replaces the key in each form in which a service may repeat it
 */
export function hiderOf(secret: string): (words: string) => string {
	// What cannot stand in a header is not sent, so a service repeats the key without it
	const asSent = secret.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
	const forms = [secret, asSent, encodeURIComponent(asSent), encodeURI(asSent)];
	const known = [...new Set(forms)].filter((form) => form !== '');
	return (words) => known.reduce((text, form) => text.replaceAll(form, '***'), words);
}
