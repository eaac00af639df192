// Orders that people make: one in a form, a draft that is completed, a file.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, day, open, visit } from './browser.mjs';

after(() => browser.close());

async function fillStop(page, stop, values) {
	const group = page.getByRole('group', { name: stop });
	for (const [label, value] of Object.entries(values)) await group.getByLabel(label, { exact: true }).fill(value);
}

test('a new order is checked, which writes nothing, and made', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, 'orders');
	await page.getByRole('link', { name: 'New order' }).click();
	await page.getByLabel('Number', { exact: true }).fill('HAND-1');
	await page.getByRole('button', { name: 'Check' }).click();
	await page.getByRole('alert').getByText('delivery', { exact: true }).waitFor();

	await page.getByLabel('Date', { exact: true }).fill(day);
	await page.getByLabel('Customer', { exact: true }).selectOption({ index: 1 });
	await page.getByLabel('Order type', { exact: true }).selectOption({ label: 'Standard' });
	await page.getByLabel('Vehicle type', { exact: true }).selectOption({ label: 'Van' });
	const address = { 'Street and number': 'Thorvald Meyers gate 40', 'Postal code': '0555', Town: 'Oslo', Country: 'NO' };
	await fillStop(page, 'Pickup', { Name: 'Fjord', ...address });
	await fillStop(page, 'Delivery', { Name: 'Ola Hansen', ...address, 'Not before': `${day}T11:00`, 'Not after': `${day}T15:00` });
	await page.getByRole('group', { name: 'Goods' }).getByLabel('Name', { exact: true }).fill('Sofa');
	await page.getByRole('button', { name: 'Check' }).click();
	await page.getByText('Nothing is wrong').waitFor();
	const there = await context.request.get('/v1/orders/internal/HAND-1');
	assert.equal(there.status(), 404, 'a check writes nothing');

	await page.getByRole('button', { name: 'Make the order' }).click();
	await page.getByRole('heading', { name: /HAND-1/, level: 1 }).waitFor();
	await page.getByText('11:00').first().waitFor();
	await close();
});

test('a draft says at its fields what it lacks, and becomes an order', async () => {
	const { page, close } = await open('support');
	await visit(page, 'drafts');
	await page.getByRole('link', { name: 'DRAFT-1' }).click();
	const date = page.getByLabel('Date', { exact: true });
	await date.waitFor();
	assert.equal(await date.getAttribute('aria-invalid'), 'true');
	await date.fill(day);
	await page.getByRole('button', { name: 'Complete the draft' }).click();
	await page.getByRole('heading', { name: /Order DRAFT-1/, level: 1 }).waitFor();
	await close();
});

test('a file is tried before it is imported, and each of its orders says what becomes of it', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders/import');
	const table = `externalId;date;customer.externalId;orderType.name;vehicleType.name;pickup.externalId;delivery.name;delivery.address.address1;delivery.address.postalCode;delivery.address.city;delivery.address.country;products.0.name;products.0.quantity;products.0.weight
FILE-1;${day};C-100;Standard;Van;L-1;"Hansen; Ola";Thorvald Meyers gate 40;0555;Oslo;NO;Sofa;1;12,5
FILE-2;;C-100;Standard;Van;L-1;Ola Hansen;Thorvald Meyers gate 40;0555;Oslo;NO;Sofa;1;12,5
`;
	await page.getByLabel('File with orders').last().setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
	await page.getByRole('heading', { name: 'What would become of orders.csv' }).waitFor();
	assert.equal(await page.getByRole('row').filter({ hasText: 'FILE-1' }).getByRole('link').count(), 0);
	await page.getByRole('button', { name: 'Import 2 orders' }).click();
	await page.getByRole('heading', { name: 'What became of orders.csv' }).waitFor();
	await page.getByRole('row').filter({ hasText: 'FILE-2' }).getByText('Draft').waitFor();
	await page.getByRole('link', { name: 'FILE-1' }).click();
	await page.getByText('Hansen; Ola').first().waitFor();
	await close();
});

test('a view is saved under a name, and found again', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders?status=cancelled');
	await page.getByRole('button', { name: 'Saved views' }).click();
	await page.getByLabel('What it is called').fill('Called off');
	await page.getByRole('button', { name: 'Save this view' }).click();
	await visit(page, 'orders');
	await page.getByRole('button', { name: 'Saved views' }).click();
	await page.getByRole('link', { name: 'Called off' }).click();
	await page.waitForURL('**/orders?status=cancelled');
	await close();
});
