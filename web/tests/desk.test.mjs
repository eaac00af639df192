// What a dispatcher relies on: forms that keep input and change nothing else,
// complete files and printouts, and a search that finds an order by any part.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, pick, settled, until, visit } from './browser.mjs';

after(() => browser.close());

const address = { address1: 'Kirkeveien 4', postalCode: '0368', city: 'Oslo', country: 'NO' };

async function importAll(context, orders) {
	const whole = {
		date: day,
		customer: { externalId: 'C-100' },
		orderType: { name: 'Standard' },
		vehicleType: { name: 'Van' },
		pickup: { externalId: 'T-OSL' },
		delivery: { name: 'Oda Larsen', address, contacts: [{ firstName: 'Oda', phoneNumber: '+4792100629' }] },
		products: [{ name: 'Sofa', quantity: 2, weight: 12.5 }]
	};
	return call(context, 'POST', '/v3/orders/import', { orders: orders.map((order) => ({ ...whole, ...order })) });
}

/** An order as a user creates it. */
const byHand = (number) => ({
	internal_order_number: number,
	date: day,
	customer: { external_id: 'C-100' },
	order_type: { name: 'Standard' },
	vehicle_type: { name: 'Van' },
	pickup: { external_id: 'T-OSL' },
	delivery: { name: 'Oda', address: { address1: 'Kirkeveien 4', postal_code: '0368', city: 'Oslo', country: 'NO' } },
	products: [{ name: 'Sofa' }]
});

async function fillOrder(page, number) {
	await page.getByLabel('Number', { exact: true }).fill(number);
	await page.getByLabel('Date', { exact: true }).fill(day);
	await pick(page.getByLabel('Customer', { exact: true }), 'Fjord');
	await page.getByLabel('Order type', { exact: true }).selectOption({ label: 'Standard' });
	await page.getByLabel('Vehicle type', { exact: true }).selectOption({ label: 'Van' });
	for (const stop of ['Pickup', 'Delivery']) {
		const group = page.getByRole('group', { name: stop });
		const values = { Name: 'Ola Hansen', 'Street and number': 'Thorvald Meyers gate 40', 'Postal code': '0555', Town: 'Oslo', Country: 'Norge' };
		for (const [label, value] of Object.entries(values)) await group.getByLabel(label, { exact: true }).fill(value);
	}
	await page.getByRole('group', { name: 'Goods' }).getByLabel('Name', { exact: true }).fill('Sofa');
}

test('a new order never changes an existing one', async () => {
	const { page, context, close } = await open('dispatcher');
	await importAll(context, [{ externalId: 'THERE-1', reference: 'Mine' }]);
	const before = await call(context, 'GET', '/v1/orders/internal/THERE-1');
	await visit(page, 'orders/new');
	await fillOrder(page, 'THERE-1');
	for (const button of ['Check', 'Create the order']) {
		await page.getByRole('button', { name: button }).click();
		await page.getByText('Another order has this number').first().waitFor();
		await page.getByText('THERE-1 exists: Fjord').waitFor();
		assert.equal(await page.getByText('No problems found').count(), 0);
	}
	assert.deepEqual(await hindrances(page), []);
	assert.equal((await call(context, 'GET', '/v1/orders/internal/THERE-1')).updated_at, before.updated_at);
	await page.getByRole('link', { name: 'Order THERE-1' }).click();
	await page.getByRole('heading', { name: /Order THERE-1/, level: 1 }).waitFor();
	await close();
});

test('a new order proposes the number after the last one chosen by hand', async () => {
	const { page, context, close } = await open('dispatcher');
	await call(context, 'POST', '/v1/orders', byHand('HAND-0099'));
	await importAll(context, [{ externalId: 'HAND-0100' }]);
	await visit(page, 'orders/new');
	await page.getByRole('button', { name: 'Use the next number, HAND-0101' }).click();
	assert.equal(await page.getByLabel('Number', { exact: true }).inputValue(), 'HAND-0101');
	await fillOrder(page, 'HAND-0101');
	assert.deepEqual(await hindrances(page), []);
	await page.getByRole('button', { name: 'Create the order' }).click();
	await page.getByRole('heading', { name: /Order HAND-0101/, level: 1 }).waitFor();
	await visit(page, 'orders/new');
	await page.getByRole('button', { name: 'Use the next number, HAND-0102' }).waitFor();
	await close();
});

test('of two concurrent orders with the same number, one is refused', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, 'orders/new');
	const bodies = ['One', 'Other'].map((reference) => ({ ...byHand('RACE-1'), reference }));
	const answers = await Promise.all(bodies.map((data) => context.request.post('/v1/orders', { data })));
	assert.deepEqual(answers.map((one) => one.status()).sort(), [201, 409]);
	const made = bodies[answers.findIndex((one) => one.status() === 201)];
	assert.equal((await call(context, 'GET', '/v1/orders/internal/RACE-1')).reference, made.reference);
	await close();
});

test('Check reports dropped values at their fields, and an empty form creates no draft', async () => {
	const { page, context, close } = await open('dispatcher');
	const drafts = async () => (await call(context, 'GET', '/v2/drafts')).drafts.length;
	const before = await drafts();
	await visit(page, 'orders/new');
	await page.getByRole('button', { name: 'Create the order' }).click();
	await page.getByText('Choose the customer.').first().waitFor();
	assert.equal(await page.getByRole('button', { name: 'Save as a draft' }).count(), 0);
	assert.equal(await drafts(), before);

	await fillOrder(page, 'WRONG-1');
	const delivery = page.getByRole('group', { name: 'Delivery' });
	await page.getByLabel('Date', { exact: true }).fill('2020-01-01');
	await page.getByRole('group', { name: 'Goods' }).getByLabel('Weight', { exact: true }).fill('abc');
	await delivery.getByLabel('Phone', { exact: true }).fill('92 10 06');
	await delivery.getByLabel('Email', { exact: true }).fill('not an address');
	await delivery.getByLabel('Country', { exact: true }).fill('Nowhere');
	for (const button of ['Check', 'Create the order']) {
		await page.getByRole('button', { name: button }).click();
		const alert = page.getByRole('alert');
		for (const said of ['This date is in the past', 'Enter a number', 'Enter a complete phone number', 'Enter a complete email address', 'Enter the country']) {
			await alert.getByText(said).waitFor();
		}
		for (const [group, label] of [['Delivery', 'Phone'], ['Delivery', 'Email'], ['Delivery', 'Country'], ['Goods', 'Weight']]) {
			const field = page.getByRole('group', { name: group }).getByLabel(label, { exact: true });
			assert.equal(await field.getAttribute('aria-invalid'), 'true', label);
		}
	}
	assert.equal((await context.request.get('/v1/orders/internal/WRONG-1')).status(), 404);

	await page.getByLabel('Date', { exact: true }).fill(day);
	await page.getByRole('group', { name: 'Goods' }).getByLabel('Weight', { exact: true }).fill('12,5');
	await delivery.getByLabel('Phone', { exact: true }).fill('92 10 06 29');
	await delivery.getByLabel('Email', { exact: true }).fill('oda@post.example');
	await delivery.getByLabel('Country', { exact: true }).fill('norge');
	await page.getByRole('button', { name: 'Check' }).click();
	await page.getByText('No problems found').waitFor();
	assert.equal(await delivery.getByLabel('Country', { exact: true }).inputValue(), 'NO');
	await page.getByRole('button', { name: 'Create the order' }).click();
	await page.getByRole('heading', { name: /WRONG-1/, level: 1 }).waitFor();
	const made = await call(context, 'GET', '/v1/orders/internal/WRONG-1?loads=OrderProducts');
	assert.equal(made.order_products[0].weight, 12.5);
	await close();
});

test('an incomplete order becomes a draft only on request', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders/new');
	await page.getByLabel('Number', { exact: true }).fill('LATER-1');
	await page.getByRole('button', { name: 'Create the order' }).click();
	await page.getByRole('button', { name: 'Save as a draft' }).click();
	await page.getByRole('heading', { name: /LATER-1/, level: 1 }).waitFor();
	await page.waitForURL(/drafts\/\d+/);
	await close();
});

test('the file of a list has all matching rows with the chosen columns', async () => {
	const { page, context, close } = await open('dispatcher');
	const numbers = Array.from({ length: 230 }, (_, index) => `FILE-ALL-${String(index).padStart(3, '0')}`);
	await importAll(context, numbers.map((externalId) => ({ externalId, date: '2027-02-03', reference: externalId.endsWith('007') ? '=1+1' : '' })));
	await visit(page, 'orders?from=2027-02-03&to=2027-02-03');
	await page.getByRole('button', { name: 'Columns' }).click();
	const dialog = page.getByRole('dialog');
	for (const column of ['Delivery: Street and number', 'Delivery: Postal code', 'Delivery: Phone', 'Delivery: Expected', 'Weight (kg)', 'Department', 'Reference']) {
		await dialog.getByLabel(column, { exact: true }).check();
	}
	await dialog.getByRole('button', { name: 'Close' }).last().click();
	await settled(page);
	const saving = page.waitForEvent('download');
	await page.getByRole('button', { name: 'CSV of all 230' }).click();
	const file = await (await saving).createReadStream();
	let text = '';
	for await (const part of file) text += part;
	const [head, ...rows] = text.trim().split('\r\n');
	assert.equal(rows.length, 230);
	assert.deepEqual(rows.map((row) => row.split(',')[0]).sort(), numbers);
	for (const column of ['Delivery: Street and number', 'Delivery: Phone', 'Delivery: Expected', 'Weight (kg)', 'Department']) assert.ok(head.includes(column), head);
	assert.match(rows[0], /Kirkeveien 4,0368,\+4792100629/);
	assert.match(rows[0], /,25,/);
	assert.ok(text.includes("'=1+1"), 'a formula is a text');
	await close();
});

/** The file that a button saves: its header, and the first cell of each row. */
async function savedBy(page, name) {
	const saving = page.waitForEvent('download');
	await page.getByRole('button', { name, exact: true }).click();
	let text = '';
	for await (const part of await (await saving).createReadStream()) text += part;
	const [head, ...rows] = text.trim().split('\r\n');
	return { head, firsts: rows.map((row) => row.split(',')[0]) };
}

test('the file of each list has all matching rows, not only the page’s', async () => {
	const { page, context, close } = await open('dispatcher');
	const many = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, '0'));
	await importAll(context, many.map((number) => ({
		externalId: `PLACE-${number}`, date: '2027-02-04', delivery: { name: `Fileplace ${number}`, address: { ...address, address1: `Filveien ${number}` } }
	})));
	await visit(page, 'data/locations?q=Fileplace');
	const places = await savedBy(page, 'CSV of all 60');
	assert.deepEqual(places.firsts.sort(), many.map((number) => `Fileplace ${number}`));
	assert.match(places.head, /Name/);

	const { items: [kind] } = await call(context, 'GET', '/v2/cargo-carriers');
	for (const number of many) {
		await call(context, 'POST', '/v2/cargo-carrier-movements', { cargoCarrierId: kind.id, customerId: 2, quantity: 1, comment: `Load ${number}` });
	}
	const { items: accounts } = await call(context, 'GET', '/v2/cargo-carrier-accounts?customerId=2');
	const { accountId } = accounts.find(({ cargoCarrier }) => cargoCarrier.id === kind.id);
	await visit(page, `load-carriers/${accountId}`);
	assert.equal(await page.getByRole('table').getByText(/^Load /).count(), 50);
	assert.equal((await savedBy(page, 'CSV of all rows')).firsts.length, 60);
	assert.deepEqual(await hindrances(page), []);

	// A list that can't be read shows an error, and saves nothing.
	await context.route(/\/movements\?/, (route) => route.abort());
	await page.getByRole('button', { name: 'CSV of all rows', exact: true }).click();
	await page.getByText("The service can't be reached").waitFor();
	await context.unroute(/\/movements\?/);
	const saving = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Try again' }).click();
	await saving;
	await close();
});

test('a printed route has everything that a driver needs, with one line per loading place', async () => {
	const { page, context, close } = await open('dispatcher');
	const plan = await call(context, 'GET', `/v2/plans/${day}?pageSize=200`);
	const route = plan.routes.find((one) => one.stops.filter((stop) => stop.stop === 'DELIVERY').length > 1);
	// The route loads all first, as most do.
	const loads = route.stops.filter((stop) => stop.stop === 'PICKUP').map((stop) => ({ ...stop, name: 'Terminal Lodalen', city: 'Oslo' }));
	route.stops = [...loads, ...route.stops.filter((stop) => stop.stop === 'DELIVERY')];
	await context.route(`**/v2/plans/${day}?*`, (answer) => answer.fulfill({ json: plan }));
	await visit(page, `day/${day}?view=list`);
	await page.evaluate(() => (globalThis.print = () => (globalThis.printed = true)));
	await page.getByRole('button', { name: 'Print', exact: true }).click();
	await page.waitForFunction(() => globalThis.printed);
	await page.emulateMedia({ media: 'print' });
	const sheet = page.locator('.printed section').filter({ hasText: route.driverName }).first();
	const said = await sheet.innerText();
	assert.ok(said.includes(`Load ${loads.length} orders at Terminal Lodalen`), said);
	const delivered = route.stops.filter((stop) => stop.stop === 'DELIVERY');
	assert.equal(await sheet.locator('tbody tr:not([data-break])').count(), 1 + delivered.length);
	const order = await call(context, 'GET', `/v1/orders/${delivered[0].orderId}?loads=OrderLocations.Address,OrderLocations.OrderLocationContacts,OrderProducts`);
	const stop = order.order_locations.find((one) => one.type === 'delivery');
	for (const wanted of [stop.address.address1, stop.address.postal_code, stop.order_location_contacts?.[0]?.phone_number, order.order_products[0].name, order.internal_order_number, 'Name and signature']) {
		if (wanted) assert.ok(said.includes(wanted), `${wanted}: ${said}`);
	}
	assert.equal(await page.locator('main > :visible:not(.printed)').count(), 0, 'nothing else is printed');
	await close();
});

test('a form keeps input after leaving, reloading and returning, until it is discarded', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, 'orders/new');
	const reference = page.getByLabel('Reference', { exact: true });
	await reference.fill('halfway');
	await page.getByRole('link', { name: 'Drivers', exact: true }).first().click();
	await page.getByRole('heading', { name: 'Drivers', level: 1 }).waitFor();
	await page.goBack();
	await page.getByText('Your unsaved changes were restored.').waitFor();
	assert.equal(await reference.inputValue(), 'halfway');
	await page.reload();
	await page.getByText('Your unsaved changes were restored.').waitFor();
	assert.equal(await reference.inputValue(), 'halfway');
	assert.deepEqual(await hindrances(page), []);
	await page.getByRole('button', { name: 'Discard' }).click();
	assert.equal(await reference.inputValue(), '');
	await page.reload();
	await reference.waitFor();
	assert.equal(await page.getByText('Your unsaved changes were restored.').count(), 0);

	await visit(page, 'recurring/new');
	await page.getByLabel('Name', { exact: true }).first().fill('Ukentlig');
	await page.reload();
	await page.getByText('Your unsaved changes were restored.').waitFor();
	assert.equal(await page.getByLabel('Name', { exact: true }).first().inputValue(), 'Ukentlig');

	await importAll(context, [{ externalId: 'KEPT-1' }]);
	const { order_id: id } = await call(context, 'GET', '/v1/orders/internal/KEPT-1');
	await visit(page, `orders/${id}/edit`);
	await reference.fill('changed');
	await page.reload();
	await page.getByText('Your unsaved changes were restored.').waitFor();
	assert.equal(await reference.inputValue(), 'changed');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('heading', { name: /Order KEPT-1/, level: 1 }).waitFor();
	await visit(page, `orders/${id}/edit`);
	assert.equal(await page.getByText('Your unsaved changes were restored.').count(), 0);
	assert.equal(await reference.inputValue(), 'changed');
	await close();
});

test('a new key stays visible until the user confirms having stored it', async () => {
	const { page, close } = await open('admin');
	await visit(page, 'settings/keys');
	await page.getByRole('button', { name: 'Create a key' }).first().click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name').fill('Escaped');
	await dialog.getByRole('button', { name: 'Create a key' }).click();
	const key = dialog.locator('pre');
	await key.getByText(/^wbk_/).waitFor();
	for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
	assert.ok(await key.isVisible());
	assert.equal(await dialog.getByRole('button', { name: 'Close' }).count(), 0);
	await dialog.getByRole('button', { name: 'I have saved it' }).click();
	await dialog.waitFor({ state: 'hidden' });
	await close();
});

test('the search suggests orders by any known part, each in one line', async () => {
	const { page, context, close } = await open('dispatcher');
	const red = [];
	page.on('console', (message) => message.type() === 'error' && red.push(message.text()));
	await importAll(context, [
		{ externalId: 'SEEK-7301', delivery: { name: 'Nora Berg', address: { ...address, address1: 'Maridalsveien 87, Grünerløkka' }, contacts: [{ firstName: 'Nora', phoneNumber: '+4740000731' }] } }
	]);
	await visit(page, 'orders');
	for (const text of ['seek7301', '7301', '40 00 07 31', 'maridalsv 87', 'Grunerlokka', 'nora berg']) {
		await page.keyboard.press('/');
		await page.getByRole('combobox', { name: 'Search' }).fill(text);
		const hit = page.getByRole('option').filter({ hasText: 'SEEK-7301' });
		await hit.waitFor();
		assert.match(await hit.innerText(), /SEEK-7301 · Nora Berg, Maridalsveien 87, Grünerløkka · .+ · \w+/);
	}
	assert.deepEqual(await hindrances(page), []);
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	await page.getByRole('dialog', { name: /Order SEEK-7301/ }).getByRole('link', { name: 'Open the order' }).click();
	await page.getByRole('heading', { name: /Order SEEK-7301/, level: 1 }).waitFor();

	await visit(page, 'search?q=grunerlokka');
	await page.getByRole('listitem').filter({ hasText: 'SEEK-7301' }).getByText(/Nora Berg, Maridalsveien 87/).waitFor();
	await settled(page);
	red.length = 0; // an order without a proof or an export has a 404 for each
	await visit(page, 'search?q=NOTHING-HAS-THIS');
	await page.getByText('No results').waitFor();
	await until('nothing is under way', async () => (await settled(page), true));
	assert.deepEqual(red, [], 'a miss is no error');
	await close();
});
