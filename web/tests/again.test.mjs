// A new order from an earlier one, and long lists of which one is chosen.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, pick, settled, until, visit } from './browser.mjs';

after(() => browser.close());

const earlier = {
	externalId: 'AGAIN-1', date: day, customer: { externalId: 'C-AGAIN' },
	orderType: { name: 'Standard' }, vehicleType: { name: 'Van' }, pickup: { externalId: 'T-OSL' },
	delivery: {
		name: 'Signe Aas', address: { address1: 'Thorvald Meyers gate 40', postalCode: '0555', city: 'Oslo', country: 'NO' },
		instructions: 'Ring at the back', contacts: [{ firstName: 'Signe', phoneNumber: '+4792155501' }]
	},
	products: [{ name: 'Bread', quantity: 3 }]
};

/** An order with the number that the next one follows. */
const byHand = {
	internal_order_number: 'AGAIN-0101', date: day, customer: { external_id: 'C-100' }, order_type: { name: 'Standard' },
	vehicle_type: { name: 'Van' }, pickup: { external_id: 'T-OSL' },
	delivery: { name: 'Oda', address: { address1: 'Kirkeveien 4', postal_code: '0368', city: 'Oslo', country: 'NO' } },
	products: [{ name: 'Sofa' }]
};

async function makeCustomers(customers) {
	const { context, close } = await open('admin');
	for (const customer of customers) await call(context, 'POST', '/v1/customers', customer);
	await close();
}

test('a phone number brings up the last address, and the goods are all that is left to type', async () => {
	const { page, context, close } = await open('dispatcher');
	await makeCustomers([{ business_name: 'Again Bakery', external_id: 'C-AGAIN' }]);
	await call(context, 'POST', '/v1/orders', byHand);
	await call(context, 'POST', '/v3/orders/import', { orders: [earlier] });
	await until('the order is found', async () => (await call(context, 'GET', '/v2/orders/find?text=92155501')).items.length > 0);
	await visit(page, 'orders/new');
	const start = page.getByRole('combobox', { name: 'Customer, phone or address of an earlier order' });
	await start.fill('921 55 501');
	await page.getByRole('option', { name: /Signe Aas, Thorvald Meyers gate 40/ }).waitFor();
	assert.deepEqual(await hindrances(page), []);
	await start.press('Enter');
	await page.getByText('The order is filled in like AGAIN-1').waitFor();
	const delivery = page.getByRole('group', { name: 'Delivery' });
	await until('the address is filled in', async () => (await delivery.getByLabel('Street and number').inputValue()) === 'Thorvald Meyers gate 40');
	assert.equal(await delivery.getByLabel('Phone', { exact: true }).inputValue(), '+4792155501');
	assert.equal(await delivery.getByLabel('Not before', { exact: true }).inputValue(), '');
	assert.equal(await page.getByLabel('Number', { exact: true }).inputValue(), 'AGAIN-0102', 'the number is proposed');
	const goods = page.getByRole('group', { name: 'Goods' }).getByLabel('Name', { exact: true });
	await until('the goods have the focus', () => goods.evaluate((field) => field === document.activeElement));
	await page.keyboard.type('Buns');
	await page.getByRole('button', { name: 'Create the order' }).click();
	await page.getByRole('heading', { name: /^Order /, level: 1 }).waitFor();
	await page.getByText('Buns').first().waitFor();
	await page.getByText('Signe Aas').first().waitFor();
	await close();
});

test('a customer brings up the last addresses, by keyboard on a small screen', async () => {
	const { page, close } = await open('dispatcher', { language: 'nb', width: 320, theme: 'dark' });
	await visit(page, 'orders/new');
	const start = page.getByRole('combobox', { name: 'Kunde, telefon eller adresse fra en tidligere ordre' });
	await start.fill('again bak');
	await page.getByRole('option', { name: 'Kunde: Again Bakery' }).waitFor();
	await start.press('Enter');
	const addresses = page.getByRole('listbox', { name: 'Siste adresser for Again Bakery' });
	await addresses.getByRole('option', { name: /Signe Aas/ }).waitFor();
	assert.deepEqual(await hindrances(page), []);
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is as wide as its window');
	await start.press('Escape');
	await addresses.waitFor({ state: 'hidden' });
	await until('the customer is chosen', async () => (await page.getByLabel('Kunde', { exact: true }).inputValue()) === 'Again Bakery');
	await close();
});

test('one of many customers is found by the service, and by keyboard', async () => {
	const { page, close } = await open('dispatcher');
	await makeCustomers(Array.from({ length: 60 }, (_, at) => ({ business_name: `Long List ${String(at).padStart(2, '0')}`, external_id: `LL-${at}` })));
	await visit(page, 'orders/new');
	const customer = page.getByLabel('Customer', { exact: true });
	await customer.fill('long list 57');
	const option = page.getByRole('option', { name: 'Long List 57' });
	await option.waitFor();
	assert.deepEqual(await hindrances(page), []);
	await customer.press('Enter');
	assert.equal(await customer.inputValue(), 'Long List 57');
	await customer.fill('Long');
	await page.getByRole('option', { name: 'Long List 03' }).waitFor();
	await customer.press('Escape');
	await customer.blur();
	await page.getByRole('button', { name: 'Check' }).click();
	await page.getByRole('alert').getByText('Choose the customer').waitFor();
	await pick(customer, 'Long List 03');
	assert.equal(await customer.inputValue(), 'Long List 03');
	await close();
});

test('columns are put in another sequence by keyboard, and rows are compact', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders');
	await page.getByRole('button', { name: 'Columns' }).click();
	const dialog = page.getByRole('dialog');
	const left = dialog.getByRole('button', { name: 'Move Status to the right' });
	await left.focus();
	await page.keyboard.press('Enter');
	await page.waitForURL(/columns=number,date,status/);
	await until('the button keeps the focus', () => left.evaluate((button) => button === document.activeElement));
	await page.keyboard.press('Enter');
	await page.waitForURL(/columns=number,date,customer,status/);
	const heights = () => page.locator('tr:has(a[data-row])').evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
	const before = await heights();
	await dialog.getByLabel('Compact, one line each').check();
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByRole('button', { name: 'Close' }).last().click();
	await page.reload();
	await page.getByRole('columnheader', { name: 'Status' }).waitFor();
	await settled(page);
	const heads = await page.getByRole('columnheader').allInnerTexts();
	assert.deepEqual(heads.filter(Boolean).slice(0, 4), ['Number', 'Date', 'Customer', 'Status']);
	const compact = await heights();
	assert.ok(Math.max(...compact) <= 34 && Math.max(...compact) < Math.min(...before), `one line each: ${compact.join()}, before ${before.join()}`);
	assert.deepEqual(await hindrances(page), []);
	await close();
});
