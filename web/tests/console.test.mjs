import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, open, organization, people, service, until, visit } from './browser.mjs';

after(() => browser.close());

test('who is not signed in signs in, and comes back to the page that was asked for', async () => {
	const { page, close } = await open();
	await page.goto('/console/orders?status=planned');
	await page.waitForURL('**/sign-in');
	await page.fill('#organization', organization);
	await page.fill('#email', people.dispatcher.email);
	await page.fill('#passphrase', people.dispatcher.passphrase);
	await page.keyboard.press('Enter');
	await page.waitForURL('**/console/orders?status=planned');
	await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
	await page.getByRole('button', { name: /account, language/ }).click();
	await page.getByRole('button', { name: 'Sign out' }).click();
	await page.waitForURL('**/sign-in');
	await close();
});

test('orders are filtered, the address keeps the filter, and an order tells its story', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders');
	await page.getByLabel('Failed').check();
	await page.waitForURL('**/orders?status=failed');
	await page.getByText('No orders here').waitFor();
	await page.getByRole('button', { name: 'Show all' }).click();
	await page.getByRole('row').nth(1).getByRole('link').click();
	await page.getByRole('heading', { name: 'What happened' }).waitFor();
	await page.getByText('Created').first().waitFor();
	await close();
});

test('what somebody else does is seen as it happens', async () => {
	const { page, context, close } = await open('dispatcher');
	const orders = await call(context, 'POST', '/v1/orders/paginated', { order_status_ids: [1, 2], limit: 1, sort_by: '-order_id' });
	const { order_id: id, internal_order_number: number } = orders.items[0];
	await visit(page, `orders/${id}`);
	await page.getByText('live', { exact: true }).waitFor();
	await call(context, 'POST', '/v2/orders/cancel-orders', { externalIds: [number] });
	await page.getByText('Cancelled').first().waitFor();
	await call(context, 'POST', `/v2/orders/replan-cancelled?externalId=${number}`);
	await page.getByRole('button', { name: 'Cancel the order' }).waitFor();
	await close();
});

test('somebody of the support reads what became of a message, and sends one that failed again', async () => {
	const { page, close } = await open('support');
	await visit(page, 'messages?channel=sms');
	await page.locator('[data-row]').first().click();
	await page.getByRole('dialog').getByText('Queued').first().waitFor();
	await page.keyboard.press('Escape');
	const failed = page.getByRole('row').filter({ hasText: 'Failed' }).first();
	await failed.getByRole('checkbox').check();
	await page.getByRole('button', { name: 'Send 1 again' }).click();
	await page.getByRole('dialog').getByText('1 of 1').waitFor();
	await page.getByRole('dialog').getByText(/On its way|Not sent/).waitFor();
	await close();
});

test('a template is changed after a look at what that does', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, 'recurring');
	await page.getByRole('row').nth(1).getByRole('link').click();
	const calendar = page.getByRole('table');
	const comes = calendar.locator('td.comes');
	await comes.first().waitFor();
	const before = await comes.count();
	await page.getByLabel('Rule').fill('FREQ=WEEKLY;BYDAY=MO');
	await until('the calendar shows the new rule', async () => (await comes.count()) < before);
	await page.getByLabel('Change the orders that are there already').check();
	await page.getByRole('button', { name: 'What would change' }).click();
	await page.getByRole('heading', { name: /^Would be cancelled|^Left alone/ }).first().waitFor();
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('The template is saved.').waitFor();
	const { recurringOrders } = await call(context, 'GET', '/v1/recurring_orders');
	assert.match(recurringOrders[0].rruleset, /BYDAY=MO/);
	await close();
});

test('no file of the console comes from elsewhere, and its answers are compressed', async () => {
	const { page, close } = await open('dispatcher'); // which fails when anything comes from elsewhere
	const encodings = new Set();
	page.on('response', (response) => {
		if (response.url().endsWith('.js')) encodings.add(response.headers()['content-encoding']);
	});
	await visit(page, 'orders');
	assert.ok(encodings.size > 0 && [...encodings].every((one) => one === 'br' || one === 'gzip'), [...encodings].join());
	await close();
});
