import type { N8nServer } from '../server.mts';
import { until, type Json } from '../helpers.mts';

const PAGE_TIMEOUT_MS = 20_000;

/** A visitor who fills in the pages of a published n8n form. Does what the scripts in these pages do. */
export class Visitor {
	private constructor(private url: URL) {}

	static at(server: N8nServer, path: string): Visitor {
		return new Visitor(new URL(`${server.url}/form/${path}`));
	}

	/** The current page. */
	async page(): Promise<string> {
		return await this.send('GET', this.url);
	}

	/** Submits the fields of the first page, in order, and waits for the next page. */
	async begins(...values: string[]): Promise<void> {
		const answer = JSON.parse(await this.send('POST', this.url, fieldsOf(values))) as Json;
		this.url = new URL(answer.formWaitingUrl);
		await this.waitForPage();
	}

	/** Does the same on a later page. */
	async goesOn(...values: string[][]): Promise<void> {
		await this.send('POST', this.url, fieldsOf(values.map((value) => JSON.stringify(value))));
		await this.waitForPage();
	}

	/** What the last page does by itself once it is shown. */
	async leaves(): Promise<void> {
		await this.send('POST', this.url, new FormData());
	}

	private async waitForPage(): Promise<void> {
		const status = new URL(this.url);
		status.pathname += '/n8n-execution-status';
		const isThere = async () => (await this.send('GET', status)) === 'form-waiting';
		await until('the next page of the form', isThere, PAGE_TIMEOUT_MS);
	}

	private async send(method: string, url: URL, body?: FormData): Promise<string> {
		const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
		// A submitted page redirects to the next one, which is requested separately
		const response = await fetch(url, { method, body: body ?? null, redirect: 'manual', signal });
		const text = await response.text();
		if (response.status < 400) return text;
		throw new Error(`The form answered ${response.status}: ${text.slice(0, 500)}`);
	}
}

function fieldsOf(values: string[]): FormData {
	const form = new FormData();
	for (const [index, value] of values.entries()) form.set(`field-${index}`, value);
	return form;
}
