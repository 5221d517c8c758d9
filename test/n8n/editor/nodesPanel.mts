import type { Page } from 'playwright-core';

/** The panel for finding nodes. */
export class NodesPanel {
	constructor(private readonly page: Page) {}

	/** Opens the panel of a new workflow. */
	async open(url: string): Promise<void> {
		await this.page.goto(`${url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').click();
		await this.page.getByTestId('node-creator-search-bar').waitFor();
	}

	async search(words: string): Promise<void> {
		await this.page.getByTestId('node-creator-search-bar').fill(words);
	}

	/** A node or an action in the panel. */
	entry(name: string) {
		const names = this.page.getByTestId('node-creator-item-name');
		return names.filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) });
	}

	/** Expands or collapses the actions of the selected node. */
	async toggleActions(): Promise<void> {
		await this.page
			.getByTestId('node-creator-category-item')
			.filter({ hasText: 'Actions' })
			.click();
	}
}
