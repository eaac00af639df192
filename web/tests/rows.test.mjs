// A list of 10,000 orders, which no organization of the tests has: the answers are made up.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, hindrances, open, settled, until, visit } from './browser.mjs';

after(() => browser.close());

const [total, size] = [10_000, 50];

/** Answers like the service, from one order of it. */
async function manyOrders(page, asked) {
	let order;
	await page.route('**/v1/orders/paginated', async (route) => {
		const body = route.request().postDataJSON();
		if (!order) order = (await (await route.fetch({ postData: JSON.stringify({ ...body, page: 1 }) })).json()).items[0];
		asked.push(body.page);
		const first = (body.page - 1) * size;
		const items = Array.from({ length: size }, (_, i) => ({
			...order, order_id: first + i + 1, internal_order_number: `ROW-${String(first + i + 1).padStart(5, '0')}`
		}));
		await route.fulfill({ json: { items, total, pages: total / size, page: body.page } });
	});
}

const inView = async (link) =>
	(await link.count()) > 0 && link.evaluate((it) => it.getBoundingClientRect().top > 0 && it.getBoundingClientRect().bottom < innerHeight);

test('10,000 orders are scrolled in one list', async (t) => {
	const { page, close } = await open('dispatcher');
	const asked = [];
	await manyOrders(page, asked);
	await visit(page, 'orders');
	const number = (one) => page.getByRole('link', { name: `ROW-${String(one).padStart(5, '0')}` });
	await number(1).waitFor();
	const table = page.getByRole('table', { name: 'Orders' });
	assert.equal(await table.getAttribute('aria-rowcount'), '10001');
	assert.equal(await page.locator('tr', { has: number(7) }).getAttribute('aria-rowindex'), '8');
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	assert.ok(asked.length <= 4, `${asked}`);
	const widths = () => table.locator('th').evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().width)));
	const before = await widths();

	// Through a part of it, a third of a screen with each frame.
	const frames = await page.evaluate(() => new Promise((done) => {
		const slow = [];
		let last = performance.now();
		let left = 120;
		const step = (now) => {
			slow.push(now - last);
			last = now;
			window.scrollBy(0, innerHeight / 3);
			if (--left) requestAnimationFrame(step);
			else done(slow);
		};
		requestAnimationFrame(step);
	}));
	frames.sort((a, b) => a - b);
	t.diagnostic(`frames: half within ${Math.round(frames[60])} ms, 95 of 100 within ${Math.round(frames[114])} ms`);
	const shown = page.locator('a[data-row]');
	await shown.first().waitFor();
	assert.ok((await page.locator('tbody tr').count()) < 600, 'most of the list is not in the page');

	await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
	await number(total).waitFor();
	assert.deepEqual(await widths(), before);
	await page.evaluate(() => window.scrollTo(0, 0));
	await number(1).waitFor();

	// After a look at a row, the list is where it was.
	await page.evaluate(() => document.querySelector('[data-page="90"]').scrollIntoView());
	await number(4460).waitFor();
	await page.waitForURL(/page=90/);
	// So it is where the screen changes.
	for (const [width, height] of [[390, 844], [1440, 900], [390, 844], [1440, 900]]) {
		await page.setViewportSize({ width, height });
		await until('the page is there', () => inView(number(4451)));
	}
	await number(4460).click();
	await page.waitForURL(/orders\/4460/);
	await page.goBack();
	await number(4460).waitFor();
	assert.ok(await inView(number(4451)) || await inView(number(4460)));
	await page.getByRole('checkbox', { name: 'Planned', exact: true }).click();
	await page.waitForURL((url) => !url.searchParams.has('page'));
	await number(1).waitFor();

	await visit(page, 'orders?page=100');
	await number(4951).waitFor();
	assert.ok(await inView(number(4951)));
	await close();
});
