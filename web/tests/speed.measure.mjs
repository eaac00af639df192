// How fast the day answers with 500 and with 1,000 orders of forty drivers. It measures, and fails only
// if something does not appear. A task is what the main thread of the page did in one piece, by the
// time that it worked. What a person waits for is the time from an event to the next frame, as
// Interaction to Next Paint counts it.
import { after, test } from 'node:test';
import { browser, day, open, visit } from './browser.mjs';
import { largeDay } from './large.mjs';
import { traced } from './trace.mjs';

after(() => browser.close());

/** Opens the board of a made-up day, and notes how long each event took until the next frame. */
async function openBoard(orders) {
	const opened = await open('dispatcher');
	const { page, context } = opened;
	const large = largeDay(day, { orders, drivers: 40 });
	await context.route(`**/v2/plans/${day}?*`, (route) => route.fulfill({ json: large.plan }));
	await context.route(`**/v2/plans/${day}/drivers?*`, (route) => route.fulfill({ json: large.drivers }));
	await page.addInitScript(() => {
		globalThis.waited = [];
		new PerformanceObserver((list) => {
			for (const { interactionId, duration, name } of list.getEntries()) if (interactionId) globalThis.waited.push([name, duration]);
		}).observe({ type: 'event', durationThreshold: 16, buffered: true });
	});
	return opened;
}

const loaded = (page) => page.waitForFunction(() => document.querySelectorAll('[data-order]').length > 0);
const idle = (page) => page.evaluate(() => new Promise((done) => setTimeout(done, 500)));

const steps = {
	'click a stop': (page, n) => page.locator('[data-order]').nth(40 + n * 7).click(),
	'choose more with shift': (page, n) => page.locator('[data-order]').nth(60 + n * 7).click({ modifiers: ['Shift'] }),
	'an arrow key on the board': (page) => page.keyboard.press('ArrowRight'),
	'type in the search': async (page, n) => {
		if (n === 0) await page.keyboard.press('/');
		await page.keyboard.press('d');
	},
	'filter by a driver': async (page, n) => {
		if (n === 0) await page.getByRole('searchbox', { name: /driver/i }).first().focus().catch(() => {});
		await page.keyboard.press('1');
	},
	'drag a stop': async (page, n) => {
		const from = await page.locator('[data-order]').nth(200 + n * 3).boundingBox();
		await page.mouse.move(from.x + 4, from.y + 4);
		await page.mouse.down();
		for (let step = 1; step <= 20; step++) await page.mouse.move(from.x + 4 + step * 5, from.y + 4 + step * 6);
		await page.keyboard.press('Escape');
		await page.mouse.up();
	}
};

for (const orders of [500, 1000]) {
	test(`a day of ${orders} orders answers`, async (t) => {
		const { page, context, close } = await openBoard(orders);
		const shown = await traced(page, context, async () => {
			await visit(page, `day/${day}`);
			await loaded(page);
			await idle(page);
		});
		t.diagnostic(`open: longest task ${Math.round(shown.longest)} ms`);
		for (const [name, act] of Object.entries(steps)) {
			await page.evaluate(() => (globalThis.waited.length = 0));
			const { longest } = await traced(page, context, async () => {
				for (let n = 0; n < 5; n++) {
					await act(page, n);
					await idle(page);
				}
			});
			await page.keyboard.press('Escape');
			const waited = await page.evaluate(() => globalThis.waited);
			const worst = Math.max(0, ...waited.map(([, duration]) => duration));
			t.diagnostic(`${name}: longest task ${Math.round(longest)} ms, until the next frame ${Math.round(worst)} ms (${waited.length} events)`);
		}
		await close();
	});
}
