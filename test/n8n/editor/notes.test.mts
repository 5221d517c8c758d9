import { beforeAll, expect, it } from 'vitest';

import { EXAMPLE_FILES, readExample, sandbox, server, setUp, use } from '../examples/helpers.mts';
import { SOON, startSession, type Session } from './session.mts';

/* The notes of the examples, as people see them after an import, in a window of usual size. */

let session: Session;
setUp();
beforeAll(async () => {
	session = await startSession({ n8n: server, sandbox });
	await session.page.setViewportSize({ width: 1440, height: 900 });
});

it.each(EXAMPLE_FILES)('no note of %s is cut', async (file) => {
	const { page } = session;
	const { nodes } = readExample(file);
	const { id } = await use(file, { isComplete: true });
	await page.goto(`${server.url}/workflow/${id}`);
	await expect
		.poll(async () => await page.locator('.vue-flow__node').count(), SOON)
		.toBe(nodes.length);
	await page.getByTestId('zoom-to-fit').dispatchEvent('click');
	const stickies = page.getByTestId('sticky');
	const titles = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
	await expect.poll(async () => await stickies.count(), SOON).toBe(titles.length);
	for (const sticky of await stickies.all()) {
		const { words, hidden } = await sticky.evaluate((element) => {
			const frame = element.getBoundingClientRect();
			const texts = [...element.querySelectorAll('p, li, h1, h2, h3, code, pre')];
			const bottom = Math.max(...texts.map((text) => text.getBoundingClientRect().bottom));
			// In pixels of the note, whatever the zoom
			const zoom = frame.height / (element as unknown as { offsetHeight: number }).offsetHeight;
			return {
				words: (element.textContent ?? '').trim().slice(0, 40),
				hidden: Math.round((bottom - frame.bottom) / zoom),
			};
		});
		expect(words.length).toBeGreaterThan(10);
		expect(hidden, `${words}: pixels below the frame`).toBeLessThanOrEqual(0);
	}
});
