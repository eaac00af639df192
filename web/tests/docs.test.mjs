// The documentation: with code next to the text, searched, and tried with a
// key. Its pages call only the service.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, hindrances, open } from './browser.mjs';

after(() => browser.close());

test('an operation is found, and read with code in four languages', async () => {
	const { page, close } = await open();
	await page.goto('/docs');
	await page.keyboard.press('/');
	await page.getByRole('searchbox').fill('import orders');
	await page.keyboard.press('Enter');
	await page.getByRole('link', { name: 'Import orders', exact: true }).first().click();
	await page.getByRole('heading', { level: 1, name: 'Import orders' }).waitFor();
	for (const [language, code] of [
		['Go', 'client.Orders.Import('],
		['TypeScript', 'client.orders.import'],
		['Python', 'client.orders.import'],
		['curl', 'curl "$WAYBILL_URL/v3/orders/import"']
	]) {
		await page.getByText(language, { exact: true }).click();
		await page.locator('.panel:visible', { hasText: code }).waitFor();
	}
	assert.equal(await page.getByRole('link', { name: 'Try it' }).getAttribute('href'), '/docs/try#/Import/importOrders');
	await close();
});

test('the reference shows only what an API key may call', async () => {
	const { page, close } = await open();
	await page.goto('/docs/reference');
	const contents = page.getByRole('navigation', { name: 'Reference' });
	await contents.getByRole('link', { name: 'People' }).waitFor();
	await page.getByLabel('Only what an API key may call').check();
	await contents.getByRole('link', { name: 'People' }).waitFor({ state: 'hidden' });
	await contents.getByRole('link', { name: 'Status feed' }).click();
	await page.waitForURL('**/status-feed');
	await page.waitForFunction(() => document.getElementById('only-keys')?.checked);
	await close();
});

const shown = [
	'/', '/docs', '/docs/windows', '/docs/importing', '/docs/errors', '/docs/reasons', '/docs/changelog', '/docs/reference',
	'/docs/reference/status-feed', '/docs/reference/import/importOrders', '/docs/search?q=webhook'
];

for (const [theme, width] of [['light', 1440], ['dark', 390]]) {
	test(`pages are accessible in ${theme} at ${width} pixels`, async () => {
		const { page, close } = await open(undefined, { theme, width });
		for (const path of shown) {
			await page.goto(path);
			assert.deepEqual(await hindrances(page), [], path);
			const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
			assert.ok(wide <= 0, `${path} is ${wide} pixels wider than the window`);
		}
		await close();
	});
}

test('the largest page is light', async () => {
	const { page, context, close } = await open();
	await page.goto('/docs/reference/master-data');
	await page.getByRole('heading', { level: 1 }).waitFor();
	const devtools = await context.newCDPSession(page);
	const { usedSize } = await devtools.send('Runtime.getHeapUsage');
	assert.ok(usedSize < 40e6, `${usedSize} bytes of heap`);
	await close();
});

test('an operation is tried with a key', async () => {
	const { context, close: leave } = await open('admin');
	const { key } = await call(context, 'POST', '/v1/api-keys', { name: 'For a try' });
	await leave();

	const { page, close } = await open();
	await page.goto('/docs/try#/Orders/listOrdersToday');
	const operation = page.locator('.opblock', { hasText: '/v1/orders/today' }).first();
	await operation.waitFor();
	const answered = async () => {
		await operation.getByRole('button', { name: 'Execute' }).click();
		await operation.locator('.loading-container').waitFor({ state: 'detached' });
		return operation.locator('.live-responses-table .response-col_status').last().innerText();
	};
	assert.match(await answered(), /401/);
	await page.getByLabel('API key').fill(key);
	await page.waitForFunction(() => document.getElementById('api-key').value !== '');
	await operation.getByRole('button', { name: 'Clear' }).click();
	assert.match(await answered(), /200/);
	assert.doesNotMatch(await operation.locator('.curl-command').innerText(), new RegExp(key), 'the command shows no key');
	await page.getByRole('link', { name: 'Guides' }).click();
	await page.goBack();
	await page.waitForFunction((typed) => document.getElementById('api-key')?.value === typed, key);
	await close();
});

test('only required parameters are filled in', async () => {
	const { page, close } = await open();
	await page.goto('/docs/try#/Status%20feed/getOrderStatusFeed');
	const operation = page.locator('.opblock', { hasText: '/v2/orders/summary/orderstatusfeed' }).first();
	await operation.locator('input').first().waitFor();
	const fields = await operation.locator('.parameters input[type=text]').all();
	assert.ok(fields.length > 1);
	for (const field of fields) assert.equal(await field.inputValue(), '');

	await page.goto('/docs/try#/Orders/getOrder');
	await page.reload();
	const required = page.locator('.parameters tr[data-param-name="orderId"] input').first();
	await required.waitFor();
	assert.notEqual(await required.inputValue(), '');
	await close();
});
