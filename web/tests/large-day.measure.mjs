// How long the console takes to show a day of 10,000 orders. It measures, and fails only if a
// view does not appear. With WAYBILL_PICTURES, a folder, it keeps a picture of each.
import { after, test } from 'node:test';
import { browser, day, open } from './browser.mjs';

after(() => browser.close());

const folder = process.env.WAYBILL_PICTURES;

test('a large day is shown', async (t) => {
	const { page, context, close } = await open('dispatcher');
	context.setDefaultTimeout(180_000);
	let read = 0;
	page.on('response', (response) => {
		if (response.url().includes(`/v2/plans/${day}?token=`)) read++;
	});
	for (const [view, drawn] of [
		['board', '[data-order]'],
		['map', 'canvas'],
		['list', '[data-order], table tbody tr, ol li']
	]) {
		const from = Date.now();
		read = 0;
		await page.goto(`/console/day/${day}?view=${view}`);
		await page.locator(drawn).first().waitFor();
		const elements = await page.evaluate(() => document.querySelectorAll('*').length);
		t.diagnostic(`${view}: shown after ${Date.now() - from} ms, ${read} readings of the plan, ${elements} elements`);
		if (folder) await page.screenshot({ path: `${folder}/${view}.png` });
	}
	await close();
});
