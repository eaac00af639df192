// What administrators and dispatchers maintain: users, keys, drivers and master
// data.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { browser, call, hindrances, open, pick, settled, until, visit } from './browser.mjs';

after(() => browser.close());

test('a key is shown once, works, is replaced and is revoked', async () => {
	const { page, context, close } = await open('admin');
	await visit(page, 'settings/keys');
	await page.getByRole('button', { name: 'Create a key' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name').fill('The warehouse');
	await dialog.getByRole('button', { name: 'Create a key' }).click();
	const key = await dialog.locator('code').innerText();
	const called = () => context.request.get('/v1/orders/count', { headers: { Authorization: `apikey ${key}`, Cookie: '' } });
	assert.equal((await called()).status(), 200);
	await dialog.getByRole('button', { name: 'I have saved it' }).click();
	assert.ok(!(await page.content()).includes(key), 'the key is shown again');

	await page.getByRole('button', { name: 'Replace: The warehouse' }).click();
	await dialog.getByRole('button', { name: 'Replace' }).click();
	await dialog.getByRole('button', { name: 'I have saved it' }).click();
	const old = page.getByRole('row', { name: /The warehouse.*Ending/ });
	await old.getByRole('button', { name: 'Revoke' }).click();
	await dialog.getByRole('button', { name: 'Revoke' }).click();
	await page.getByRole('row', { name: /The warehouse.*Revoked/ }).waitFor();
	await until('the key is refused', async () => (await called()).status() === 401);
	await close();
});

test('an unknown time zone is refused at its field, and an unsaved form sees what another one saved', async () => {
	const { page, context, close } = await open('admin', { width: 320 });
	const before = await call(context, 'GET', '/v1/organization');
	await visit(page, 'settings/organization');
	const form = page.getByRole('region', { name: 'Name, time zone and language' });
	await form.getByLabel('Time zone').fill('Oslo');
	await form.getByText('Days will begin at another midnight').waitFor();
	await form.getByRole('button', { name: 'Save' }).click();
	await form.getByText('There is no such time zone.').first().waitFor();
	assert.equal(await form.getByLabel('Time zone').getAttribute('aria-invalid'), 'true');
	assert.deepEqual(await hindrances(page), []);
	assert.deepEqual(await call(context, 'GET', '/v1/organization'), before, 'nothing has changed');

	await form.getByLabel('Time zone').fill(before.timezone);
	await form.getByLabel('Name', { exact: true }).fill(`${before.name} Oslo`);
	await form.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Saved.').first().waitFor();
	// The other forms read the organization again.
	await settled(page);
	const drivers = page.getByRole('region', { name: 'For drivers' });
	await drivers.getByLabel('Office phone').or(drivers.getByLabel(/phone/i)).first().fill('+47 22 00 00 01');
	await drivers.getByRole('button', { name: 'Save' }).click();
	await until('both are saved', async () => (await call(context, 'GET', '/v1/organization')).office_phone === '+47 22 00 00 01');
	await settled(page);
	await form.getByLabel('Name', { exact: true }).fill(before.name);
	await form.getByRole('button', { name: 'Save' }).click();
	await until('the name is back', async () => (await call(context, 'GET', '/v1/organization')).name === before.name);
	await call(context, 'PUT', '/v1/organization', { office_phone: before.office_phone });
	await close();
});

test('a user is invited and disabled', async () => {
	const { page, close } = await open('admin');
	await visit(page, 'settings/people');
	await page.getByRole('button', { name: 'Invite a person' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name').fill('Per Vik');
	await dialog.getByLabel('Email').fill('per.vik@post.example');
	await dialog.getByLabel('Support').check();
	await dialog.getByRole('button', { name: 'Send invitation' }).click();
	await page.getByRole('heading', { name: 'Per Vik', level: 1 }).waitFor();
	await page.getByRole('main').getByText('Invited').waitFor();
	await page.getByRole('button', { name: 'Disable' }).click();
	await dialog.getByRole('button', { name: 'Disable' }).click();
	await page.getByRole('button', { name: 'Enable' }).waitFor();
	await close();
});

test('settings forms keep input, but no secrets', async () => {
	const { page, context, close } = await open('admin');
	const dialog = page.getByRole('dialog');
	const restored = page.getByText('Your unsaved changes were restored.');
	await visit(page, 'settings/people');
	await page.getByRole('button', { name: 'Invite a person' }).click();
	await dialog.getByLabel('Name').fill('Halfway Invited');
	await dialog.getByLabel('Support').check();
	await page.keyboard.press('Escape');
	await dialog.waitFor({ state: 'hidden' });
	await page.reload();
	await page.getByRole('button', { name: 'Invite a person' }).click();
	await restored.waitFor();
	assert.equal(await dialog.getByLabel('Name').inputValue(), 'Halfway Invited');
	assert.ok(await dialog.getByLabel('Support').isChecked());
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByRole('button', { name: 'Discard' }).click();
	assert.equal(await dialog.getByLabel('Name').inputValue(), '');

	await visit(page, 'settings/roles/new');
	await page.getByLabel('Name', { exact: true }).fill('Night desk');
	await page.getByRole('link', { name: 'Day', exact: true }).first().click();
	await page.waitForURL(/\/day\//);
	await page.goBack();
	await restored.waitFor();
	assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Night desk');

	await visit(page, 'settings/webhooks');
	const add = page.getByRole('button', { name: 'Add an address' });
	await add.click();
	await dialog.getByLabel('Address (URL)').fill('https://hooks.example/waybill');
	await context.route('**/v2/webhook-endpoints', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
	await dialog.getByRole('button', { name: 'Add an address' }).click();
	await dialog.getByText("The service can't be reached").waitFor();
	await page.reload();
	await add.click();
	await restored.waitFor();
	assert.equal(await dialog.getByLabel('Address (URL)').inputValue(), 'https://hooks.example/waybill');
	await dialog.getByRole('button', { name: 'Leave it' }).click();
	await add.click();
	assert.equal(await dialog.getByLabel('Address (URL)').inputValue(), '', 'who leaves it wants nothing kept');

	await visit(page, 'settings/providers/new');
	await page.getByLabel('Name', { exact: true }).fill('Our directory');
	await page.getByLabel('Client secret').fill('never-in-the-browser');
	await until('the name is kept', () => page.evaluate(() => JSON.stringify(sessionStorage).includes('Our directory')));
	assert.ok(!(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]).includes('never-in-the-browser'))));
	await page.reload();
	await restored.waitFor();
	assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Our directory');
	assert.equal(await page.getByLabel('Client secret').inputValue(), '');
	await close();
});

test('a movement of load carriers that was typed and sent before a reload counts once', async () => {
	const { page, context, close } = await open('dispatcher');
	const dialog = page.getByRole('dialog');
	const moved = async () => {
		const { items } = await call(context, 'GET', '/v2/cargo-carrier-accounts?customerId=3');
		return items.reduce((sum, { balance }) => sum + balance, 0);
	};
	const before = await moved();
	await visit(page, 'load-carriers');
	await page.getByRole('button', { name: 'New movement' }).click();
	await dialog.getByLabel('Quantity *').fill('7');
	await dialog.getByLabel('Type *').selectOption({ label: 'EUR pallet (EUR1)' });
	const { business_name: customer } = await call(context, 'GET', '/v1/customers/3');
	await pick(dialog.getByRole('combobox').last(), customer);
	await context.route('**/v2/cargo-carrier-movements', async (route) => {
		await route.fetch();
		await route.abort();
	}, { times: 1 });
	await dialog.getByRole('button', { name: 'Record' }).click();
	await dialog.getByText("The service can't be reached").waitFor();
	assert.equal(await moved(), before + 7, 'it arrived, and only its answer is lost');
	await page.reload();
	await page.getByRole('button', { name: 'New movement' }).click();
	await page.getByText('Your unsaved changes were restored.').waitFor();
	await dialog.getByRole('button', { name: 'Record' }).click();
	await page.getByText('Movement recorded.').waitFor();
	assert.equal(await moved(), before + 7);
	await close();
});

test('a second driver with the same name needs confirmation, and is not planned without workdays', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'drivers/new');
	await page.getByLabel(/^Name/).first().fill('nora  berg');
	await page.getByText('Another driver has the same name:').getByRole('link', { name: 'Nora Berg' }).waitFor();
	assert.deepEqual(await hindrances(page), []);
	await page.getByLabel(/^Name/).first().fill('Nora Bergheim');
	await page.getByText('Another driver has the same name:').waitFor({ state: 'hidden' });
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await page.getByRole('heading', { name: 'Nora Bergheim', level: 1 }).waitFor();
	await page.getByText('No workdays in these weeks').waitFor();
	await page.getByRole('button', { name: 'Deactivate' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
	await page.getByRole('button', { name: 'Reactivate' }).waitFor();
	await close();
});

test('a workday of a driver is changed and removed', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'drivers/1');
	const day = page.getByRole('list').filter({ hasText: '–' }).getByRole('button').last();
	await day.click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Works on this day').check();
	await dialog.getByLabel('Starts', { exact: true }).fill('08:15');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('button', { name: /08:15/ }).last().click();
	await dialog.getByLabel('Works on this day').uncheck();
	await dialog.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Off', { exact: true }).last().waitFor();
	await close();
});

test('errors are shown at their field, and input is kept', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'data/vehicles/1');
	const weight = page.getByLabel('Maximum weight, kg');
	const wanted = String(1000 + (Date.now() % 1000));
	const save = async () => {
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Save anyway' }).click();
	};
	await weight.fill('-5');
	await save();
	await page.getByRole('alert').getByText('Maximum weight, kg').waitFor();
	await page.getByRole('alert').getByText('For support').click();
	await page.getByRole('alert').getByText(/Request [0-9a-f]/).waitFor();
	assert.equal(await weight.getAttribute('aria-invalid'), 'true');
	await weight.fill(wanted);
	await save();
	await page.getByText('Saved.').waitFor();
	await page.reload();
	await until('the weight is kept', async () => (await weight.inputValue()) === wanted);
	await close();
});

test('a message rule is previewed, created and deactivated', async () => {
	const { page, close } = await open('admin');
	await visit(page, 'settings/rules/new');
	await page.getByLabel(/^Event\W*$/).selectOption('ORDER_FAILED');
	await page.getByLabel(/^Channel\W*$/).selectOption('SMS');
	await page.getByLabel(/^To\W*$/).selectOption('PICKUP_CONTACTS');
	await page.getByLabel(/^Text\W*$/).fill('{{ contact.firstName }}: {{ order');
	await page.getByRole('button', { name: 'Preview' }).click();
	await page.getByRole('alert').waitFor();
	await page.getByLabel(/^Text\W*$/).fill('{{ contact.firstName }}: {{ order.externalId }} did not get there');
	await page.getByRole('button', { name: 'Preview' }).click();
	await page.getByText('Nora: A-1001 did not get there').waitFor();
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('heading', { name: 'The order failed · Text message' }).waitFor();
	await page.getByLabel('Active').uncheck();
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('dialog').getByText('Not used.').waitFor();
	await page.getByRole('dialog').getByRole('button', { name: 'Save anyway' }).click();
	await page.getByText('Saved.').last().waitFor();
	await close();
});

test('forbidden changes are disabled, and the page names the roles that may', async () => {
	const { page, close } = await open('support');
	await visit(page, 'data/customers/1');
	await page.getByText('Only these roles can change this: Administrator.').waitFor();
	assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
	assert.ok(await page.getByLabel('Email').isDisabled());
	await close();
});

test('records of the document need confirmation, and used records list their uses', async () => {
	const { page, context, close } = await open('admin');
	const { items } = await call(context, 'GET', '/v1/vehicle-types');
	const van = items.find(({ name }) => name === 'Van');
	await visit(page, `data/vehicle-types/${van.id}`);
	await page.getByText(/organization's document, last applied (\d+ minutes? ago|this minute|\d+ hours? ago)/).waitFor();
	await page.getByLabel('Active').uncheck();
	await page.getByRole('button', { name: 'Save' }).click();
	const dialog = page.getByRole('dialog');
	const vehicles = (await call(context, 'GET', '/v1/vehicles?limit=200')).items;
	const count = vehicles.filter((one) => one.is_active && one.vehicle_type.id === van.id).length;
	await dialog.getByRole('definition').filter({ hasText: new RegExp(`^${count}$`) }).waitFor();
	await dialog.getByText('Vehicles', { exact: true }).waitFor();
	await dialog.getByRole('button', { name: 'Leave it' }).click();
	const kept = await call(context, 'GET', `/v1/vehicle-types/${van.id}`);
	assert.equal(kept.is_active, true, 'it was only asked');
	await page.getByLabel('Active').check();
	await close();
});

test('deactivating a record shows the templates and intervals that use it, and a new record has none', async () => {
	const { page, context, close } = await open('admin');
	const { recurringOrders } = await call(context, 'GET', '/v1/recurring_orders?isActive=true&limit=1000');
	const of = (field, id) => recurringOrders.filter((template) => template[field] === id).length;
	const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Europe/Oslo' });
	const days = (count) => new Date(Date.parse(today) + count * 86_400_000).toISOString().slice(0, 10);
	const { intervals } = await call(context, 'GET', `/v2/route-scheduling/intervals?from=${days(0)}&to=${days(30)}`);
	const { orderTypeId, customerId } = recurringOrders[0];
	const booked = intervals.filter((one) => one.orderTypes.some(({ id }) => id === orderTypeId)).length;
	assert.ok(booked > 0);

	const dialog = page.getByRole('dialog');
	const asked = async (path) => {
		await visit(page, path);
		await page.getByLabel('Active').uncheck();
		await page.getByRole('button', { name: 'Save' }).click();
		await dialog.getByRole('heading', { name: 'Used by' }).waitFor();
		const uses = await dialog.locator('dl').innerText();
		await dialog.getByRole('button', { name: 'Leave it' }).click();
		await page.getByLabel('Active').check();
		return uses.split('\n').filter(Boolean);
	};
	const type = await asked(`data/order-types/${orderTypeId}`);
	const after = (uses, name) => Number(uses[uses.indexOf(name) + 1]);
	assert.equal(after(type, 'Templates in use'), of('orderTypeId', orderTypeId), type.join());
	assert.equal(after(type, 'Bookable intervals of the next 30 days'), booked, type.join());
	const customer = await asked(`data/customers/${customerId}`);
	assert.equal(after(customer, 'Templates in use'), of('customerId', customerId), customer.join());
	assert.ok(!customer.includes('Bookable intervals of the next 30 days'), 'intervals name no customer');
	await close();
});

test('the map names the operator as its owner, and users without a second factor are found', async () => {
	const { page, close } = await open('admin');
	await visit(page, 'settings/map');
	await page.getByText('Built-in coasts and towns').waitFor();
	await page.getByText('WAYBILL_MAP', { exact: true }).waitFor();
	await page.getByRole('link', { name: 'Security' }).click();
	await page.getByText(/^0 of \d+ people/).waitFor();
	await page.getByRole('main').getByRole('link', { name: 'Kim support' }).click();
	await page.getByRole('heading', { name: 'Kim support', level: 1 }).waitFor();
	await close();
});

test('a price is computed for hypothetical goods and for an order’s, with its reason', async () => {
	const { page, context, close } = await open('dispatcher');
	const { items: types } = await call(context, 'GET', '/v1/order-types');
	const body = {
		orderType: { name: 'Standard' }, pickup: { country: 'NO', postalCode: '0668' }, delivery: { country: 'NO', postalCode: '0555' },
		products: [{ quantity: 2, weight: 120 }]
	};
	const quote = await call(context, 'POST', '/v2/pricing/quote', body);
	await visit(page, 'data/price-lists');
	await page.getByRole('link', { name: 'Try a price' }).click();
	await page.getByLabel('Type').selectOption({ label: 'Standard' });
	await page.getByRole('group', { name: 'Pickup' }).getByLabel('Postal code').fill('0668');
	await page.getByRole('group', { name: 'Delivery' }).getByLabel('Postal code').fill('0555');
	await page.getByLabel('Quantity').fill('2');
	await page.getByLabel('Weight per piece, kg').fill('120');
	await page.getByRole('button', { name: 'Calculate' }).click();
	await page.getByRole('heading', { name: `Price: ${quote.total} ${quote.currency}` }).waitFor();
	await page.getByText(`line ${quote.line}`).waitFor();
	await page.getByRole('link', { name: quote.fromZones[0].name }).first().waitFor();
	await page.reload();
	await page.getByRole('heading', { name: `Price: ${quote.total} ${quote.currency}` }).waitFor();

	await page.getByRole('group', { name: 'Delivery' }).getByLabel('Country').fill('SE');
	await page.getByRole('button', { name: 'Calculate' }).click();
	await page.getByRole('heading', { name: 'No price' }).waitFor();
	await page.getByText('No zone').waitFor();

	await page.getByLabel('From an order').fill('FREIGHT-1');
	await page.getByRole('button', { name: 'Fill in' }).click();
	await page.getByRole('heading', { name: /^Price: / }).waitFor();
	assert.equal(await page.getByLabel('Weight per piece, kg').inputValue(), '240');
	assert.equal(await page.getByLabel('Type').inputValue(), String(types.find(({ name }) => name === 'Standard').id));
	await close();
});

test('zones are shown with their places, on a map and as a list', async () => {
	const { page, context, close } = await open('dispatcher');
	const { zones } = await call(context, 'GET', '/v2/zones/lookup?country=NO&postalCode=0668');
	await visit(page, 'data/zones');
	await page.getByRole('link', { name: 'Zones on the map' }).click();
	await page.getByRole('button', { name: zones[0].name, exact: true }).click();
	await page.waitForURL(`**/data/zones/map?zone=${zones[0].id}`);
	await page.getByRole('link', { name: 'Nordfrakt Terminal Lodalen' }).first().waitFor();
	const places = await page.locator('details[open]').getByRole('link').allTextContents();
	assert.ok(!places.includes('Nordfrakt Terminal Avedøre Holme'), 'a place in Denmark lies in no zone of Oslo');
	await close();
});

/** Two orders for a customer, on a separate day. */
async function ordersFor(context, emailAddress) {
	const numbers = ['PRIVACY-1', 'PRIVACY-2'];
	const orders = numbers.map((externalId) => ({
		externalId,
		date: '2031-05-05',
		customer: { externalId: 'C-100' },
		orderType: { name: 'Standard' },
		vehicleType: { name: 'Van' },
		pickup: { externalId: 'T-OSL' },
		delivery: {
			name: 'Kari Browser',
			address: { address1: 'Lia 17', postalCode: '0150', city: 'Oslo', country: 'NO' },
			contacts: [{ firstName: 'Kari', lastName: 'Browser', emailAddress }]
		},
		products: [{ name: 'Sofa', quantity: 1 }]
	}));
	await call(context, 'POST', '/v3/orders/import', { orders });
	return numbers;
}

test('a person is found, exported and erased, and an order is left out', async () => {
	const { page, context, close } = await open('admin');
	const [first, second] = await ordersFor(context, 'erased.in.browser@post.example');
	await visit(page, 'settings/privacy');
	await page.getByLabel('Email').fill('Erased.In.Browser@post.example');
	await page.getByRole('button', { name: 'Find' }).click();
	const row = (number) => page.getByRole('row', { name: new RegExp(`${number}.*Delivery.*Kari Browser`) });
	await row(first).waitFor();
	await row(second).getByRole('checkbox').uncheck();
	assert.deepEqual(await hindrances(page), []);
	if (process.env.WAYBILL_PICTURES) await page.screenshot({ path: `${process.env.WAYBILL_PICTURES}/privacy.png`, fullPage: true });
	const [file] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('button', { name: 'Export as text' }).click()
	]);
	assert.match(await readFile(await file.path(), 'utf8'), /first_name: Kari/);
	await page.getByRole('button', { name: 'Erase' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
	await page.getByRole('heading', { name: /^Receipt \d+$/ }).waitFor();
	await page.getByText('The person is erased from what the receipt lists.').first().waitFor();
	if (process.env.WAYBILL_PICTURES) await page.screenshot({ path: `${process.env.WAYBILL_PICTURES}/receipt.png`, fullPage: true });
	await page.getByRole('button', { name: 'Find' }).click();
	await row(second).waitFor();
	assert.equal(await row(first).count(), 0);
	await close();
});
