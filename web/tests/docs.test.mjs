// The pages of the contract: it is read with code beside it, and tried with a key.
// No page asks anybody but the service.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, open } from './browser.mjs';

after(() => browser.close());

test('the contract is read with code in four languages and the changelog', async () => {
	const { page, close } = await open();
	await page.goto('/docs#tag/Import/operation/importOrders');
	const operation = page.locator('[id="tag/Import/operation/importOrders"]');
	await operation.waitFor();
	for (const [language, code] of [
		['curl', 'curl "$WAYBILL_URL/v3/orders/import"'],
		['Go', 'ImportOrdersWithBodyWithResponse'],
		['TypeScript', 'client.POST("/v3/orders/import"'],
		['Python', 'client.call("POST", "/v3/orders/import"']
	]) {
		await operation.getByRole('tab', { name: language, exact: true }).click();
		await operation.getByText(code).first().waitFor();
	}
	assert.match(await operation.getByRole('link', { name: 'Try it' }).getAttribute('href'), /^\/docs\/try#\/[\w%]+\/importOrders$/);
	await page.getByRole('heading', { name: 'Changelog' }).first().waitFor();
	await page.getByText('Webhook endpoints').first().waitFor();
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
	await close();
});
