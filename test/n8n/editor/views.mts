import type { Locator, Page } from 'playwright-core';

import { itemAt } from '../../defined.mts';

/** The view of one node: its parameters, with the input on the left and the output on the right. */
export class NodeView {
	readonly output: Locator;

	/** @param collectionMenu selector for what opens the menu of a collection, which differs between versions */
	constructor(
		private readonly page: Page,
		private readonly collectionMenu = '[data-test-id="collection-parameter-add"]',
	) {
		this.output = page.getByTestId('output-panel');
	}

	/** The labels of the visible parameters, from top to bottom. */
	async labels(): Promise<string[]> {
		const labels = this.page.getByTestId('node-parameters').getByTestId('input-label');
		const texts = await labels.filter({ visible: true }).allInnerTexts();
		return texts.map(firstLine);
	}

	/** The element in which a parameter is entered. */
	parameter(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	async chosen(name: string): Promise<string> {
		return await this.parameter(name).locator('input').first().inputValue();
	}

	async choose(name: string, option: string): Promise<void> {
		if ((await this.chosen(name)) === option) return;
		await this.parameter(name).click();
		const label = new RegExp(`^${option}(\\s|$)`);
		await this.shownOptions()
			.and(this.page.getByRole('option', { name: label }))
			.click();
		await this.shownOptions().first().waitFor({ state: 'hidden' });
	}

	/** What can be added to each collection that has a menu. */
	async menus(): Promise<string[][]> {
		const menus: string[][] = [];
		const adders = this.page.locator(this.collectionMenu);
		const withMenu = adders.filter({ has: this.page.locator('input'), visible: true });
		for (const opener of await withMenu.all()) {
			await opener.click();
			await this.shownOptions().first().waitFor();
			menus.push((await this.shownOptions().allInnerTexts()).map(firstLine));
			await opener.click();
			await this.shownOptions().first().waitFor({ state: 'hidden' });
		}
		return menus;
	}

	/** The list from which the record for a parameter is selected. */
	list(name: string): RecordList {
		return new RecordList(this.page, this.page.getByTestId(`resource-locator-${name}`));
	}

	/** Runs the node and waits for the result. */
	async execute(): Promise<void> {
		await this.page.getByTestId('node-execute-button').first().click();
		await this.output
			.getByTestId('node-run-status-success')
			.or(this.output.getByTestId('node-error-message'))
			.first()
			.waitFor();
	}

	/** The title and text of the error in the output panel. */
	async error(): Promise<{ message: string; description: string }> {
		const message = await this.output.getByTestId('node-error-message').innerText();
		const description = await this.output.getByTestId('node-error-description').innerText();
		return { message, description };
	}

	shownOptions(): Locator {
		return this.page.getByRole('option').filter({ visible: true });
	}
}

/** A resource locator in the mode "From list". */
export class RecordList {
	readonly items: Locator;

	constructor(
		private readonly page: Page,
		private readonly locator: Locator,
	) {
		this.items = page.getByTestId('rlc-item').filter({ visible: true });
	}

	async open(): Promise<void> {
		await this.locator.getByTestId('rlc-input').click();
		await this.items.first().waitFor();
	}

	async search(text: string): Promise<void> {
		await this.page.getByTestId('rlc-search').filter({ visible: true }).fill(text);
	}

	async choose(text: string): Promise<void> {
		await this.items.filter({ hasText: text }).first().click();
		await this.items.first().waitFor({ state: 'hidden' });
	}

	/** The selected record, as the closed list shows it. */
	async chosen(): Promise<string> {
		return await this.locator.getByTestId('rlc-input').inputValue();
	}
}

/** The panel for finding nodes. */
export class NodesPanel {
	constructor(private readonly page: Page) {}

	/** Opens the panel of a new workflow. */
	async open(url: string): Promise<void> {
		await this.page.goto(`${url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').click();
	}

	async type(words: string): Promise<void> {
		await this.page.getByTestId('node-creator-search-bar').fill(words);
	}

	/** Selects the package's entry, which its nodes share. */
	async find(url: string, words: string): Promise<void> {
		await this.open(url);
		await this.type(words);
		await this.entry('Search Visibility').click();
	}

	/** A node or an action in the panel. */
	entry(name: string) {
		const names = this.page.getByTestId('node-creator-item-name');
		return names.filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) });
	}

	/** An action of the selected node. */
	async action(name: string): Promise<Locator> {
		const actions = this.page.getByTestId('node-creator-category-item');
		await actions.filter({ hasText: 'Actions' }).click();
		await this.entry(name).scrollIntoViewIfNeeded();
		return this.entry(name);
	}
}

/** A label's text also contains what is below it, such as a description. */
function firstLine(text: string): string {
	return itemAt(text.trim().split('\n'), 0).trim();
}
