// What administrators and dispatchers keep up: people, keys, drivers and master data.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, open, until, visit } from './browser.mjs';

after(() => browser.close());

test('a key is shown once, works, is replaced and is revoked', async () => {
	const { page, context, close } = await open('admin');
	await visit(page, 'settings/keys');
	await page.getByRole('button', { name: 'Make a key' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name').fill('The warehouse');
	await dialog.getByRole('button', { name: 'Make a key' }).click();
	const key = await dialog.locator('code').innerText();
	const called = () => context.request.get('/v1/orders/count', { headers: { Authorization: `apikey ${key}`, Cookie: '' } });
	assert.equal((await called()).status(), 200);
	await dialog.getByRole('button', { name: 'I have kept it' }).click();
	assert.ok(!(await page.content()).includes(key), 'the key is shown again');

	await page.getByRole('button', { name: 'Replace: The warehouse' }).click();
	await dialog.getByRole('button', { name: 'Replace' }).click();
	await dialog.getByRole('button', { name: 'I have kept it' }).click();
	const old = page.getByRole('row', { name: /The warehouse.*Ending/ });
	await old.getByRole('button', { name: 'Revoke' }).click();
	await dialog.getByRole('button', { name: 'Revoke' }).click();
	await page.getByRole('row', { name: /The warehouse.*Revoked/ }).waitFor();
	await until('the key is refused', async () => (await called()).status() === 401);
	await close();
});

test('somebody is invited, and disabled', async () => {
	const { page, close } = await open('admin');
	await visit(page, 'settings/people');
	await page.getByRole('button', { name: 'Invite somebody' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name').fill('Per Vik');
	await dialog.getByLabel('Email').fill('per.vik@post.example');
	await dialog.getByLabel('Support').check();
	await dialog.getByRole('button', { name: 'Send the invitation' }).click();
	await page.getByRole('heading', { name: 'Per Vik', level: 1 }).waitFor();
	await page.getByRole('main').getByText('Invited').waitFor();
	await page.getByRole('button', { name: 'Disable' }).click();
	await dialog.getByRole('button', { name: 'Disable' }).click();
	await page.getByRole('button', { name: 'Enable' }).waitFor();
	await close();
});

test('a workday of a driver is changed and taken away', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'drivers/1');
	const day = page.getByRole('list').filter({ hasText: '–' }).getByRole('button').last();
	await day.click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Works on this day').check();
	await dialog.getByLabel('Begins', { exact: true }).fill('08:15');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('button', { name: /08:15/ }).last().click();
	await dialog.getByLabel('Works on this day').uncheck();
	await dialog.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Off', { exact: true }).last().waitFor();
	await close();
});

test('what is wrong with a field stands at the field, and what was changed is kept', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'data/vehicles/1');
	const weight = page.getByLabel('Weight at most, kg');
	const wanted = String(1000 + (Date.now() % 1000));
	const save = async () => {
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Save all the same' }).click();
	};
	await weight.fill('-5');
	await save();
	await page.getByRole('alert').getByText(/^Request [0-9a-f]/).waitFor();
	assert.equal(await weight.getAttribute('aria-invalid'), 'true');
	await weight.fill(wanted);
	await save();
	await page.getByText('Saved.').waitFor();
	await page.reload();
	await until('the weight is kept', async () => (await weight.inputValue()) === wanted);
	await close();
});

test('a rule of messages is previewed, made and taken out of use', async () => {
	const { page, close } = await open('admin');
	await visit(page, 'settings/rules/new');
	await page.getByLabel(/^When\W*$/).selectOption('ORDER_FAILED');
	await page.getByLabel(/^By\W*$/).selectOption('SMS');
	await page.getByLabel(/^To\W*$/).selectOption('PICKUP_CONTACTS');
	await page.getByLabel(/^Text\W*$/).fill('{{ contact.firstName }}: {{ order');
	await page.getByRole('button', { name: 'Preview' }).click();
	await page.getByRole('alert').waitFor();
	await page.getByLabel(/^Text\W*$/).fill('{{ contact.firstName }}: {{ order.externalId }} did not get there');
	await page.getByRole('button', { name: 'Preview' }).click();
	await page.getByText('Nora: A-1001 did not get there').waitFor();
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('heading', { name: 'The order failed · Text message' }).waitFor();
	await page.getByLabel('In use').uncheck();
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('dialog').getByText('Nothing uses it.').waitFor();
	await page.getByRole('dialog').getByRole('button', { name: 'Save all the same' }).click();
	await page.getByText('Saved.').last().waitFor();
	await close();
});

test('what somebody may not change cannot be changed, and who may is said', async () => {
	const { page, close } = await open('support');
	await visit(page, 'data/customers/1');
	await page.getByText('Only these may change this: Administrator.').waitFor();
	assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
	assert.ok(await page.getByLabel('Email').isDisabled());
	await close();
});

test('what the document holds says since when and asks before it is saved, and what is used says by what', async () => {
	const { page, context, close } = await open('admin');
	const { items } = await call(context, 'GET', '/v1/vehicle-types');
	const van = items.find(({ name }) => name === 'Van');
	await visit(page, `data/vehicle-types/${van.id}`);
	await page.getByText(/document holds this; it was last applied (\d+ minutes? ago|this minute|\d+ hours? ago)/).waitFor();
	await page.getByLabel('In use').uncheck();
	await page.getByRole('button', { name: 'Save' }).click();
	const dialog = page.getByRole('dialog');
	const vehicles = (await call(context, 'GET', '/v1/vehicles?limit=200')).items;
	const count = vehicles.filter((one) => one.is_active && one.vehicle_type.id === van.id).length;
	await dialog.getByRole('definition').filter({ hasText: new RegExp(`^${count}$`) }).waitFor();
	await dialog.getByText('Vehicles', { exact: true }).waitFor();
	await dialog.getByRole('button', { name: 'Leave it' }).click();
	const kept = await call(context, 'GET', `/v1/vehicle-types/${van.id}`);
	assert.equal(kept.is_active, true, 'it was only asked');
	await page.getByLabel('In use').check();
	await close();
});

test('what is taken out of use says how many templates and intervals use it, and nothing does of what is new', async () => {
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
		await page.getByLabel('In use').uncheck();
		await page.getByRole('button', { name: 'Save' }).click();
		await dialog.getByRole('heading', { name: 'Used by' }).waitFor();
		const uses = await dialog.locator('dl').innerText();
		await dialog.getByRole('button', { name: 'Leave it' }).click();
		await page.getByLabel('In use').check();
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

test('who runs the service is said to choose the map, and who has no second factor is found', async () => {
	const { page, close } = await open('admin');
	await visit(page, 'settings/map');
	await page.getByText('Coasts and towns, from the program itself').waitFor();
	await page.getByText('WAYBILL_MAP', { exact: true }).waitFor();
	await page.getByRole('link', { name: 'Security' }).click();
	await page.getByText(/^0 of \d+ people/).waitFor();
	await page.getByRole('main').getByRole('link', { name: 'Kim support' }).click();
	await page.getByRole('heading', { name: 'Kim support', level: 1 }).waitFor();
	await close();
});

test('a price is tried for goods that are made up and for those of an order, and says why', async () => {
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
	await page.getByLabel('Weight of one, kg').fill('120');
	await page.getByRole('button', { name: 'What does it cost?' }).click();
	await page.getByRole('heading', { name: `It costs ${quote.total} ${quote.currency}` }).waitFor();
	await page.getByText(`line ${quote.line}`).waitFor();
	await page.getByRole('link', { name: quote.fromZones[0].name }).first().waitFor();
	await page.reload();
	await page.getByRole('heading', { name: `It costs ${quote.total} ${quote.currency}` }).waitFor();

	await page.getByRole('group', { name: 'Delivery' }).getByLabel('Country').fill('SE');
	await page.getByRole('button', { name: 'What does it cost?' }).click();
	await page.getByRole('heading', { name: 'There is no price' }).waitFor();
	await page.getByText('In no zone').waitFor();

	await page.getByLabel('As an order has it').fill('FREIGHT-1');
	await page.getByRole('button', { name: 'Fill in' }).click();
	await page.getByRole('heading', { name: /^It costs/ }).waitFor();
	assert.equal(await page.getByLabel('Weight of one, kg').inputValue(), '240');
	assert.equal(await page.getByLabel('Type').inputValue(), String(types.find(({ name }) => name === 'Standard').id));
	await close();
});

test('zones are shown with the places that lie in them, on a map and as a list', async () => {
	const { page, context, close } = await open('dispatcher');
	const { zones } = await call(context, 'GET', '/v2/zones/lookup?country=NO&postalCode=0668');
	await visit(page, 'data/zones');
	await page.getByRole('link', { name: 'Zones on the map' }).click();
	await page.getByRole('button', { name: zones[0].name, exact: true }).click();
	await page.waitForURL(`**/data/zones/map?zone=${zones[0].id}`);
	await page.getByRole('link', { name: 'Nordfrakt Terminal Alnabru' }).first().waitFor();
	const places = await page.locator('details[open]').getByRole('link').allTextContents();
	assert.ok(!places.includes('Nordfrakt Terminal Avedøre Holme'), 'a place in Denmark lies in no zone of Oslo');
	await close();
});
