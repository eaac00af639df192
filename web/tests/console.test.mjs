import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { browser, call, endTemplate, hindrances, open, organization, people, pick, until, visit } from './browser.mjs';

after(() => browser.close());

test('signing in returns to the requested page', async () => {
	const { page, close } = await open();
	// Without a requested page, a dispatcher begins at the start page.
	for (const [asked, come] of [['orders?status=planned', 'orders?status=planned'], ['', 'day/*']]) {
		await page.goto(`/console/${asked}`);
		await page.waitForURL('**/sign-in');
		await page.fill('#organization', organization);
		await page.fill('#email', people.dispatcher.email);
		await page.fill('#passphrase', people.dispatcher.passphrase);
		await page.keyboard.press('Enter');
		await page.waitForURL(`**/console/${come}`);
		await page.getByRole('heading', { level: 1 }).first().waitFor();
		await page.getByRole('button', { name: /account, language/ }).click();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.waitForURL('**/sign-in');
	}
	await close();
});

test('orders are filtered, the URL keeps the filter, and an order shows its history', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders');
	await page.getByLabel('Failed').check();
	await page.waitForURL('**/orders?status=failed');
	await page.getByText('No orders').waitFor();
	await page.getByRole('button', { name: 'Clear filters' }).click();
	await page.getByRole('row').nth(1).getByRole('link').click();
	await page.getByRole('heading', { name: 'History' }).waitFor();
	await page.getByText('Created').first().waitFor();
	await close();
});

test('changes by others appear live', async () => {
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

test('support reads the history of a message, and resends a failed one', async () => {
	const { page, close } = await open('support');
	await visit(page, 'messages?channel=sms');
	await page.locator('[data-row]').first().click();
	await page.getByRole('dialog').getByText('Queued').first().waitFor();
	await page.keyboard.press('Escape');
	const failed = page.getByRole('row').filter({ hasText: 'Failed' }).first();
	await failed.getByRole('checkbox').check();
	await page.getByRole('button', { name: 'Send 1 again…' }).click();
	const question = page.getByRole('dialog');
	await question.getByRole('listitem').filter({ hasText: /^1 / }).waitFor();
	const dead = question.getByRole('checkbox'); // one that is certain to fail again is left out
	if (await dead.count()) {
		assert.ok(await question.getByRole('button', { name: 'Send 0 again', exact: true }).isDisabled());
		await dead.check();
	}
	await question.getByRole('button', { name: 'Send 1 again', exact: true }).click();
	await page.getByRole('dialog').getByText('1 of 1').waitFor();
	await page.getByRole('dialog').getByText(/On its way|Not sent/).waitFor();
	await close();
});

test('failed messages are selected and counted by reason before they are resent', async () => {
	const { page, close } = await open('support');
	await visit(page, 'messages');
	await page.getByRole('button', { name: 'Resend failed messages…' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Failed since').waitFor();
	await dialog.getByText('No failed messages match.').or(dialog.getByText('Include these addresses')).first().waitFor();
	await dialog.getByLabel('Provider (optional)').fill('nobody');
	await dialog.getByText('No failed messages match.').waitFor();
	assert.ok(await dialog.getByRole('button', { name: 'Send 0 again', exact: true }).isDisabled());
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('the emails and text messages of an order are one list', async () => {
	const { page, context, close } = await open('support');
	const found = await call(context, 'POST', '/v1/notifications-log/sms', { page: 1, perPage: 100 });
	const { orderId } = found.smsLogs.find((one) => one.orderId > 0);
	const { totalRecords } = await call(context, 'POST', '/v1/order-notifications-log', { orderId, page: 1, perPage: 50 });
	await visit(page, `messages?order=${orderId}`);
	await page.locator('[data-row]').first().waitFor();
	assert.equal(await page.locator('[data-row]').count(), totalRecords);
	assert.equal(await page.getByLabel('Channel').first().inputValue(), 'both');
	await close();
});

test('a template is changed after a preview', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, 'recurring');
	await page.getByRole('row').nth(1).getByRole('link').click();
	const calendar = page.getByRole('table');
	const comes = calendar.locator('td.comes');
	await comes.first().waitFor();
	const before = await comes.count();
	await page.getByLabel('Rule').fill('FREQ=WEEKLY;BYDAY=MO');
	await until('the calendar shows the new rule', async () => (await comes.count()) < before);
	await page.getByLabel('Also change existing orders').check();
	await page.getByRole('button', { name: 'Preview changes' }).click();
	await page.getByRole('heading', { name: /^To be cancelled|^Protected/ }).first().waitFor();
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Template saved.').waitFor();
	const { recurringOrders } = await call(context, 'GET', '/v1/recurring_orders');
	assert.match(recurringOrders[0].rruleset, /BYDAY=MO/);
	await close();
});

test('a template is created after a preview of its days and a check of its order, and its order can be changed', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, 'recurring');
	await page.getByRole('link', { name: 'New template' }).click();
	await page.getByLabel('Name', { exact: true }).first().fill('Bread to the canteen');
	const comes = page.getByRole('table').locator('td.comes');
	await page.getByRole('group', { name: 'On these days' }).getByLabel('Thu').check();
	await until('the calendar shows two days a week', async () => (await comes.count()) >= 22);
	assert.equal(await page.getByLabel('Rule').inputValue(), 'RRULE:FREQ=WEEKLY;BYDAY=MO,TH');
	await page.getByRole('button', { name: 'Check' }).click();
	await page.getByRole('alert').getByText('Delivery', { exact: true }).waitFor();

	await pick(page.getByLabel('Customer', { exact: true }), 'Fjord');
	await page.getByLabel('Order type', { exact: true }).selectOption({ label: 'Standard' });
	await page.getByLabel('Vehicle type', { exact: true }).selectOption({ label: 'Van' });
	const first = await page.getByLabel('Day from which times are counted').inputValue();
	for (const stop of ['Pickup', 'Delivery']) {
		const group = page.getByRole('group', { name: stop });
		await group.getByLabel('Name', { exact: true }).fill(`${stop} of bread`);
		await group.getByLabel('Street and number').fill('Thorvald Meyers gate 40');
		await group.getByLabel('Postal code').fill('0555');
		await group.getByLabel('Town').fill('Oslo');
		await group.getByLabel('Country').fill('NO');
		await group.getByLabel('Not before').fill(`${first} 11:00`);
		await group.getByLabel('Not after').fill(`${first} 15:00`);
	}
	await page.getByRole('group', { name: 'Goods' }).getByLabel('Name', { exact: true }).fill('Bread');
	await page.getByRole('button', { name: 'Check' }).click();
	await page.getByText('No problems found').waitFor();
	await page.getByText(/^Saving creates (\d+ orders|one order) now/).waitFor();
	await page.getByRole('button', { name: 'Create the template' }).click();
	await page.getByRole('heading', { name: 'Bread to the canteen', level: 1 }).waitFor();
	const id = Number(new URL(page.url()).pathname.split('/').pop());

	const save = page.getByRole('button', { name: 'Save' });
	assert.ok(await save.isDisabled(), 'nothing has changed yet');
	await page.getByRole('group', { name: 'Goods' }).getByLabel('Name', { exact: true }).fill('Rye bread');
	await page.getByRole('button', { name: 'Preview changes' }).click();
	await page.getByText('No orders would change.').or(page.getByRole('heading', { name: /^To be|^Protected/ }).first()).waitFor();
	await save.click();
	await page.getByText('Template saved.').last().waitFor();
	await until('its order is another', async () => {
		const kept = await call(context, 'GET', `/v1/recurring_orders/${id}`);
		return kept.orderTemplate.products[0].name === 'Rye bread' && kept.rruleset === 'RRULE:FREQ=WEEKLY;BYDAY=MO,TH';
	});
	await endTemplate(context, id);
	await close();
});

test('a suppressed address is found and reopened', async () => {
	const { page, context, close } = await open('support');
	await visit(page, 'messages');
	await page.getByRole('link', { name: 'Closed addresses' }).click();
	await page.getByLabel('Address', { exact: true }).fill('closed@');
	await page.keyboard.press('Enter');
	const row = page.getByRole('row').filter({ hasText: 'closed@post.example' });
	await row.getByRole('button', { name: 'Reopen' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click();
	await page.getByText('closed@post.example receives messages again.').waitFor();
	await page.getByText('No matching address').waitFor();
	const left = await call(context, 'GET', '/v1/notifications/suppressions?address=closed@');
	assert.deepEqual(left.items, []);
	await close();
});

test('one search finds orders, drivers, templates and customers', async () => {
	const { page, context, close } = await open('dispatcher');
	const { items: drivers } = await call(context, 'GET', '/v1/drivers');
	const { items: orders } = await call(context, 'POST', '/v1/orders/paginated', { order_status_ids: [1, 2], limit: 1, sort_by: 'order_id' });
	const number = orders[0].internal_order_number;
	await visit(page, `search?q=${number}`);
	await page.locator('section', { has: page.getByRole('heading', { name: 'Orders', exact: true }) }).getByRole('link', { name: number }).first().waitFor();
	await visit(page, 'orders');
	const search = page.getByRole('combobox', { name: 'Search' });
	for (const [text, group, name] of [
		[drivers[0].name.toUpperCase(), 'Drivers', drivers[0].name],
		['DRAFT-1', 'Drafts', 'DRAFT-1'],
		['Fjord', 'Customers', /Fjord/]
	]) {
		await page.keyboard.press('/');
		await search.fill(text);
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: `Results for “${text}”` }).waitFor();
		const found = page.locator('section', { has: page.getByRole('heading', { name: group, exact: true }) });
		await found.getByRole('link', { name }).first().waitFor();
		await search.blur();
	}
	await search.fill('nothing is called that');
	await page.keyboard.press('Enter');
	await page.getByText('No results').waitFor();
	await close();
});

test('many orders get another vehicle type and are cancelled, with a result for each', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, 'orders?status=planned,registered');
	const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
	const dialog = page.getByRole('dialog');
	for (const n of [0, 1]) await boxes.nth(n).check();
	await page.getByRole('button', { name: 'Cancel 2 orders' }).click();
	await dialog.getByText('The orders leave the plan').waitFor();
	await dialog.getByRole('button', { name: 'Close' }).last().click();
	await page.getByRole('button', { name: 'Change the vehicle type of 2 orders' }).click();
	await dialog.getByLabel('Vehicle').selectOption({ label: 'Van' });
	await dialog.getByRole('button', { name: 'Change the vehicle type of 2 orders' }).click();
	await dialog.getByText('2 of 2').waitFor();
	assert.equal(await dialog.getByText('Done', { exact: true }).count(), 2);
	await dialog.getByRole('button', { name: 'Close' }).last().click();

	await boxes.first().check();
	await page.getByRole('button', { name: 'Cancel one order' }).click();
	const number = (await dialog.getByRole('listitem').innerText()).trim();
	await dialog.getByRole('button', { name: 'Cancel one order' }).click();
	await dialog.getByText('1 of 1').waitFor();
	const order = await call(context, 'GET', `/v1/orders/internal/${number}`);
	assert.equal(order.order_status_id, 8);
	await call(context, 'POST', `/v2/orders/replan-cancelled?externalId=${number}`);
	await close();
});

test('columns are chosen, the URL keeps them, and the file has the same', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders');
	await page.getByRole('button', { name: 'Columns' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Vehicle', { exact: true }).uncheck();
	await dialog.getByLabel('Reference', { exact: true }).check();
	await page.waitForURL(/columns=.*reference/);
	await dialog.getByRole('button', { name: 'Close' }).first().click();
	await page.reload();
	await page.getByRole('columnheader', { name: 'Reference' }).waitFor();
	assert.equal(await page.getByRole('columnheader', { name: 'Vehicle' }).count(), 0);
	const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
	const [head] = readFileSync(await file.path(), 'utf8').split('\r\n');
	assert.ok(head.includes('Reference') && !head.includes('Vehicle'), head);
	await close();
});

test('the console loads only own files, and responses are compressed', async () => {
	const { page, close } = await open('dispatcher'); // which fails if anything is loaded from elsewhere
	const encodings = new Set();
	page.on('response', (response) => {
		if (response.url().endsWith('.js')) encodings.add(response.headers()['content-encoding']);
	});
	await visit(page, 'orders');
	assert.ok(encodings.size > 0 && [...encodings].every((one) => one === 'br' || one === 'gzip'), [...encodings].join());
	await close();
});
