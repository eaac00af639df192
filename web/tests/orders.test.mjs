// Orders that people make: one in a form, a draft that is completed, a file.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, pick, until, visit } from './browser.mjs';

after(() => browser.close());

async function fillStop(page, stop, values) {
	const group = page.getByRole('group', { name: stop });
	for (const [label, value] of Object.entries(values)) await group.getByLabel(label, { exact: true }).fill(value);
}

test('a new order is checked and created', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, 'orders');
	await page.getByRole('link', { name: 'New order' }).click();
	await page.getByLabel('Number', { exact: true }).fill('HAND-1');
	await page.getByRole('button', { name: 'Check' }).click();
	const alert = page.getByRole('alert');
	await alert.getByText('Delivery', { exact: true }).waitFor();
	const said = await alert.innerText();
	for (const one of ['Customer: Choose the customer.', 'Pickup: Enter the address']) assert.ok(said.includes(one), said);
	assert.doesNotMatch(said, /fallback|externalId|businessName|[a-z][A-Z]/, 'a form speaks of its fields');
	await page.getByRole('group', { name: 'Pickup' }).getByText('Enter the address').waitFor();
	const customer = page.getByLabel('Customer', { exact: true });
	assert.equal(await page.locator(`[id="${await customer.getAttribute('aria-describedby')}"]`).innerText(), 'Choose the customer.');

	await page.getByLabel('Date', { exact: true }).fill(day);
	await pick(page.getByLabel('Customer', { exact: true }), 'Fjord');
	await page.getByLabel('Order type', { exact: true }).selectOption({ label: 'Standard' });
	await page.getByLabel('Vehicle type', { exact: true }).selectOption({ label: 'Van' });
	const address = { 'Street and number': 'Thorvald Meyers gate 40', 'Postal code': '0555', Town: 'Oslo', Country: 'NO' };
	await fillStop(page, 'Pickup', { Name: 'Fjord', ...address });
	await fillStop(page, 'Delivery', { Name: 'Ola Hansen', ...address, 'Not before': `${day}T11:00`, 'Not after': `${day}T15:00` });
	await page.getByRole('group', { name: 'Goods' }).getByLabel('Name', { exact: true }).fill('Sofa');
	await page.getByRole('button', { name: 'Check' }).click();
	await page.getByText('No problems found').waitFor();
	const there = await context.request.get('/v1/orders/internal/HAND-1');
	assert.equal(there.status(), 404, 'a check writes nothing');

	await page.getByRole('button', { name: 'Create the order' }).click();
	await page.getByRole('heading', { name: /HAND-1/, level: 1 }).waitFor();
	await page.getByText('11:00').first().waitFor();
	await close();
});

test('a draft shows missing values at their fields, and becomes an order', async () => {
	const { page, close } = await open('support');
	await visit(page, 'drafts');
	await page.getByRole('link', { name: 'DRAFT-1' }).click();
	const date = page.getByLabel('Date', { exact: true });
	await until('the date is marked once its field is there', async () => (await date.getAttribute('aria-invalid')) === 'true');
	await date.fill(day);
	await page.getByRole('button', { name: 'Complete the draft' }).click();
	await page.getByRole('heading', { name: /Order DRAFT-1/, level: 1 }).waitFor();
	await close();
});

test('errors are shown at their part of the form, in the user’s language', async () => {
	const { page, close } = await open('dispatcher', { language: 'nb', height: 700 });
	await visit(page, 'orders/new');
	await fillStop(page, 'Levering', { Navn: 'Ola Hansen', 'Gate og nummer': 'Storgata 1' });
	await page.getByRole('button', { name: 'Kontroller' }).click();
	await page.getByRole('group', { name: 'Levering' }).getByText('Fyll inn gate og nummer, land, og postnummer eller poststed.').waitFor();
	const said = await page.getByRole('alert').innerText();
	assert.match(said, /Levering · Adresse: Fyll inn gate/);
	await until('what is wrong is in sight of who asked at the foot', () =>
		page.getByRole('alert').evaluate((box) => box.getBoundingClientRect().top > 0 && box.getBoundingClientRect().bottom < innerHeight));
	assert.match(said, /Ordretype: Velg ordretypen\./);
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('known values of a draft are selected, and unknown ones are marked', async () => {
	const { page, context, close } = await open('dispatcher');
	const [id] = await draftsOf(context, [{ externalId: 'CAME-1', vehicleType: { name: 'No such thing' } }]);
	await visit(page, `drafts/${id}`);
	const chosen = (label) => page.getByLabel(label, { exact: true }).locator('option:checked').innerText();
	assert.equal(await chosen('Order type'), 'As received: Standard');
	const customer = page.getByLabel('Customer', { exact: true });
	assert.equal(await customer.getAttribute('placeholder'), 'As received: C-100');
	assert.equal(await customer.inputValue(), '');
	assert.equal(await chosen('Vehicle type'), 'None');
	await page.getByText('Received as: No such thing').waitFor();
	assert.equal(await page.getByText('Received as:').count(), 1);
	await page.getByText("This vehicle type doesn't exist. Choose one.").first().waitFor();
	await visit(page, 'drafts');
	// A received value that is not shown next to the field is named in the
	// text.
	await page.getByRole('row').filter({ hasText: 'CAME-1' }).getByText('No such thing').waitFor();
	await close();
});

test('a file is previewed before its import, with a result for each order', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders/import');
	const table = `externalId;date;customer.externalId;orderType.name;vehicleType.name;pickup.externalId;delivery.name;delivery.address.address1;delivery.address.postalCode;delivery.address.city;delivery.address.country;products.0.name;products.0.quantity;products.0.weight
FILE-1;${day};C-100;Standard;Van;L-1;"Hansen; Ola";Thorvald Meyers gate 40;0555;Oslo;NO;Sofa;1;12,5
FILE-2;;C-100;Standard;Van;L-1;Ola Hansen;Thorvald Meyers gate 40;0555;Oslo;NO;Sofa;1;12,5
`;
	await page.getByLabel('File with orders').last().setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
	await page.getByRole('heading', { name: 'Preview of orders.csv' }).waitFor();
	assert.equal(await page.getByRole('row').filter({ hasText: 'FILE-1' }).getByRole('link').count(), 0);
	await page.getByRole('button', { name: 'Import 2 orders' }).click();
	await page.getByRole('heading', { name: 'Result of orders.csv' }).waitFor();
	await page.getByRole('row').filter({ hasText: 'FILE-2' }).getByText('Draft').waitFor();
	await page.getByRole('link', { name: 'FILE-1' }).click();
	await page.getByText('Hansen; Ola').first().waitFor();
	await close();
});

test('a view is saved under a name, and found again', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders?status=cancelled');
	await page.getByRole('button', { name: 'Saved views' }).click();
	await page.getByLabel('Name of the view').fill('Called off');
	await page.getByRole('button', { name: 'Save this view' }).click();
	await visit(page, 'orders');
	await page.getByRole('button', { name: 'Saved views' }).click();
	await page.getByRole('link', { name: 'Called off' }).click();
	await page.waitForURL('**/orders?status=cancelled');
	await close();
});

const address = { address1: 'Thorvald Meyers gate 40', postalCode: '0555', city: 'Oslo', country: 'NO' };

/** Imports orders that lack something, and returns the drafts that they became. */
async function draftsOf(context, orders) {
	const whole = {
		date: day,
		customer: { externalId: 'C-100' },
		orderType: { name: 'Standard' },
		vehicleType: { name: 'Van' },
		pickup: { externalId: 'T-OSL' },
		delivery: { name: 'Ola Hansen', address },
		products: [{ name: 'Sofa', quantity: 1, weight: 12 }]
	};
	await call(context, 'POST', '/v3/orders/import', { orders: orders.map((order) => ({ ...whole, ...order })) });
	const ids = [];
	for (const { externalId } of orders) {
		const { drafts } = await call(context, 'GET', `/v2/drafts?externalId=${externalId}`);
		assert.equal(drafts.length, 1, externalId);
		ids.push(drafts[0].orderDraftId);
	}
	return ids;
}

test('drafts that lack the same fields are completed together, with a result for each', async () => {
	const { page, context, close } = await open('dispatcher');
	await draftsOf(context, [{ externalId: 'MANY-1', date: '' }, { externalId: 'MANY-2', date: '', pickup: { externalId: 'NOWHERE' } }]);
	await visit(page, 'drafts');
	for (const number of ['MANY-1', 'MANY-2']) await page.getByRole('row').filter({ hasText: number }).getByRole('checkbox').check();
	await page.getByRole('button', { name: 'Complete 2 drafts' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Date').fill(day);
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByRole('button', { name: 'Complete 2 drafts' }).click();
	await dialog.getByRole('listitem').filter({ hasText: 'MANY-2' }).getByText('Incomplete').waitFor();
	const done = dialog.getByRole('listitem').filter({ hasText: 'MANY-1' });
	await done.getByText('Completed').waitFor();
	assert.equal((await call(context, 'GET', '/v1/orders/internal/MANY-1')).date, day);
	assert.equal((await context.request.get('/v1/orders/internal/MANY-2')).status(), 404);
	await done.getByRole('link', { name: 'MANY-1' }).click();
	await page.getByRole('heading', { name: /Order MANY-1/, level: 1 }).waitFor();
	await close();
});

test('a draft suggests similar names, shows its stops, and gets a seat that its order keeps', async () => {
	const { page, context, close } = await open('dispatcher');
	const [id] = await draftsOf(context, [{ externalId: 'MEANT-1', orderType: { name: 'Standart' } }]);
	await visit(page, `drafts/${id}`);
	await page.getByRole('heading', { name: 'Filter by state' }).waitFor();
	await page.getByRole('button', { name: 'Standard', exact: true }).click();
	await page.getByRole('button', { name: 'Complete the draft' }).click();
	await page.getByRole('heading', { name: /Order MEANT-1/, level: 1 }).waitFor();
	const { order_type: type } = await call(context, 'GET', '/v1/orders/internal/MEANT-1?loads=OrderType');
	assert.equal(type.name, 'Standard');

	const [other] = await draftsOf(context, [{ externalId: 'SEATED-1', vehicleType: { name: 'No such thing' } }]);
	await visit(page, `drafts/${other}`);
	await page.getByRole('button', { name: 'Book an interval' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.locator('label:not(.no)').getByRole('radio').last().check();
	await dialog.getByRole('button', { name: 'Book', exact: true }).click();
	await page.getByRole('button', { name: 'Cancel the booking' }).waitFor();
	await page.getByLabel('Vehicle type', { exact: true }).selectOption({ label: 'Van' });
	await page.getByRole('button', { name: 'Complete the draft' }).click();
	await page.getByRole('heading', { name: /Order SEATED-1/, level: 1 }).waitFor();
	await page.getByRole('button', { name: 'Cancel the booking' }).waitFor();
	await close();
});

test('a waiting shipment is shown as the carrier gets it, and acknowledged by hand', async () => {
	const { page, context, close } = await open('dispatcher');
	const stop = (name, latitude) => ({ name, address: { latitude, longitude: 10.7 }, earliest: `${day}T11:00:00Z`, latest: `${day}T15:00:00Z` });
	const order = {
		externalId: 'CARRIED-1',
		date: day,
		customer: { externalId: 'C-100' },
		orderType: { name: 'Carrier' },
		vehicleType: { name: 'Van' },
		pickup: stop('Terminal', 59.92),
		delivery: stop('Door', 59.95),
		products: [{ name: 'Sofa', quantity: 1, weight: 12 }]
	};
	await call(context, 'POST', '/v3/orders/import', { orders: [order] });
	const waiting = async () => (await call(context, 'GET', '/v1/orders/export?page=1&perPage=100')).shipments.map((one) => one.externalId);
	await until('it waits for its carrier', async () => (await waiting()).includes('CARRIED-1'));
	await visit(page, 'exports');
	const dialog = page.getByRole('dialog');
	const shipment = page.getByRole('button', { name: 'Show: CARRIED-1' });
	await shipment.click();
	await dialog.getByText('Content for the carrier').click();
	await dialog.getByText('"name": "Door"').waitFor();
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByLabel('Outcome').selectOption({ label: 'Failed; try again' });
	await dialog.getByLabel('Reason').fill('They were closed');
	await dialog.getByRole('button', { name: 'Acknowledge' }).click();
	await dialog.waitFor({ state: 'hidden' });
	assert.ok((await waiting()).includes('CARRIED-1'), 'it stays to be tried again');

	await shipment.click();
	await dialog.getByText('1 of 5').waitFor();
	await dialog.getByLabel('Shipment', { exact: true }).fill('PN-1');
	await dialog.getByRole('button', { name: 'Acknowledge' }).click();
	await until('it is gone', async () => (await shipment.count()) === 0);
	const { order_id: id } = await call(context, 'GET', '/v1/orders/internal/CARRIED-1');
	const told = await call(context, 'GET', `/v1/orders/${id}/export`);
	assert.deepEqual([told.state, told.carrierShipmentId, told.acknowledgements], ['exported', 'PN-1', 2]);
	await close();
});

test('orders of a group are found, and the file has the same rows', async () => {
	const { page, context, close } = await open('dispatcher');
	const order = {
		externalId: 'GROUPED-1',
		date: day,
		customer: { externalId: 'C-100' },
		orderType: { name: 'Standard' },
		vehicleType: { name: 'Van' },
		pickup: { externalId: 'T-OSL' },
		delivery: { name: 'Ola Hansen', address },
		products: [{ name: 'Sofa', quantity: 1, weight: 12 }],
		groups: [{ name: 'Linehaul' }]
	};
	await call(context, 'POST', '/v3/orders/import', { orders: [order] });
	await visit(page, `orders?from=${day}&to=${day}`);
	await page.getByRole('combobox', { name: 'Group' }).selectOption({ label: 'Linehaul' });
	await page.waitForURL(/group=\d+/);
	await page.getByRole('link', { name: 'GROUPED-1' }).waitFor();
	const shown = async () => (await page.locator('tbody a[data-row]').allInnerTexts()).sort();
	const groups = await call(context, 'GET', '/v1/groups');
	const wanted = groups.items.find((group) => group.name === 'Linehaul').id;
	const there = await call(context, 'POST', '/v1/orders/paginated', {
		order_status_ids: [1, 2, 3, 4, 5, 6, 7, 8], group_ids: [wanted], start_date: day, end_date: day
	});
	await until('the list is that of the group', async () => String(await shown()) === String(there.items.map((one) => one.internal_order_number).sort()));
	const saving = page.waitForEvent('download');
	await page.getByRole('button', { name: /^CSV of/ }).click();
	const file = await (await saving).createReadStream();
	let text = '';
	for await (const part of file) text += part;
	assert.equal(text.trim().split('\r\n').length - 1, there.items.length);
	assert.match(text, /GROUPED-1/);
	await close();
});
