import type { Page } from 'playwright-core';

import { itemAt } from '../../defined.mts';

/** The dialog for entering a credential. */
export class CredentialDialog {
	constructor(private readonly page: Page) {}

	/** Opens the dialog for a new credential of a type. */
	async open(url: string, typeName: string): Promise<void> {
		await this.page.goto(`${url}/home/credentials`);
		await this.page.getByTestId('add-resource-credential').first().click();
		const types = this.page.getByTestId('new-credential-type-select').locator('input');
		await types.fill(typeName);
		await this.page
			.getByTestId('new-credential-type-select-option')
			.filter({ hasText: typeName, visible: true })
			.click();
		await this.page.getByTestId('new-credential-type-button').click();
		await this.input('baseUrl').waitFor();
	}

	/** The labels of the fields. */
	async labels(): Promise<string[]> {
		const labels = this.page.getByTestId('credential-connection-parameter').locator('label');
		const texts = await labels.filter({ visible: true }).allInnerTexts();
		return texts.map((text) => itemAt(text.split('\n'), 0).replace('*', '').trim());
	}

	/**
	 * Enters the values and saves them, upon which n8n tests the connection.
	 * @returns what n8n says about it
	 */
	async save(values: Record<string, string>): Promise<string> {
		for (const [name, value] of Object.entries(values)) await this.input(name).fill(value);
		const tested = this.page.waitForResponse((response) =>
			/credentials\/test$/.test(response.url()),
		);
		await this.page.getByTestId('credential-save-button').click();
		await tested;
		const dialog = this.page.getByTestId('editCredential-modal');
		const success = dialog.getByText('Connection tested successfully').filter({ visible: true });
		const more = dialog.getByText('More details').filter({ visible: true });
		await success.or(more).waitFor();
		if (await more.isVisible()) {
			await more.click();
			await more.waitFor({ state: 'hidden' });
		}
		return await dialog.innerText();
	}

	private input(name: string) {
		return this.page.getByTestId(`parameter-input-${name}`).locator('input').first();
	}
}
