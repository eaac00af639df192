// Pages marked as live follow events, without unnecessary requests.
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { ahead, browser, call, day, open, until, visit } from './browser.mjs';

after(() => browser.close());

const reader = { contacts: [{ firstName: 'Live', lastName: 'Reader', emailAddress: 'reader@example.com', phoneNumber: '+4740010000', isContact: true }] };
const door = { name: 'Live Reader', address: { address1: 'Storgata 1', postalCode: '0155', city: 'Oslo', country: 'NO' } };

/** Imports orders as the office does. */
function importOrders(context, prefix, count, more = {}, date = day) {
	const orders = Array.from({ length: count }, (_, n) => ({
		externalId: `${prefix}-${n + 1}`,
		date,
		customer: { externalId: 'C-100' },
		orderType: { name: 'Standard' },
		vehicleType: { name: 'Van' },
		pickup: { externalId: 'L-1' },
		delivery: { ...door, ...more },
		products: [{ name: 'Sofa', quantity: 1, weight: 12 }]
	}));
	return call(context, 'POST', '/v3/orders/import', { orders });
}

test('a list of orders reloads rarely during an import of four hundred orders', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, 'orders');
	await page.getByText('live', { exact: true }).waitFor();
	const asked = [];
	page.on('response', (response) => {
		if (/\/v1\/orders(\/paginated)?(\?|$)/.test(response.url())) asked.push(response.status());
	});
	// On a separate day, which leaves the planner of the other tests' day idle.
	const later = ahead(40);
	await importOrders(context, 'LIVE', 400, {}, later);
	await page.waitForTimeout(15_000);
	assert.ok(asked.length > 0, 'the list follows');
	assert.ok(asked.length <= 8, `${asked.length} requests`);
	assert.ok(asked.every((status) => status === 200), asked.join(' '));
	await page.getByRole('link', { name: /^LIVE-/ }).first().waitFor();
	await close();
});

test('the log of messages and the count of unsent ones are live', async () => {
	const messages = await open('dispatcher');
	await visit(messages.page, 'messages?channel=sms');
	const board = await open('dispatcher');
	await visit(board.page, `day/${ahead(6)}`); // no plan changes there
	await board.page.getByRole('link', { name: /^Not sent \d+$/ }).waitFor();
	const rows = messages.page.getByRole('row').filter({ hasText: '+4740010001' });
	assert.equal(await rows.count(), 0);
	const counts = [];
	board.page.on('request', (request) => request.url().includes('/figures') && counts.push(request.url()));
	const began = Date.now();
	await importOrders(messages.context, 'FOLLOW', 1, { contacts: [{ ...reader.contacts[0], phoneNumber: '+4740010001' }] });
	await call(messages.context, 'POST', '/v2/orders/cancel-orders', { externalIds: ['FOLLOW-1'] });
	await rows.first().waitFor();
	await until('the board counts what was not sent', () => counts.length > 0);
	assert.ok(Date.now() - began < 50_000, 'before the figures are read again by the clock');
	await messages.close();
	await board.close();
});

test('closed addresses are live', async () => {
	const { page, context, close } = await open('admin');
	await visit(page, 'messages/suppressions');
	const row = page.getByRole('row').filter({ hasText: 'reopened@post.example' });
	await row.waitFor();
	await call(context, 'POST', '/v1/notifications/suppressions/lift', { address: 'reopened@post.example' });
	await row.waitFor({ state: 'detached' });
	await close();
});
