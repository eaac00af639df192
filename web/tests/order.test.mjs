// What dispatchers do to one order on its page, and what others may not.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ahead, browser, call, day, hindrances, open, until, visit, weekday } from './browser.mjs';

after(() => browser.close());

/** The day of an order that is begun. Its driver is on the road from then on, before the shift, too, which changes what fits into the plan. */
const dayAfter = ahead(1);

const address = { address1: 'Thorvald Meyers gate 40', postalCode: '0555', city: 'Oslo', country: 'NO' };

/** Imports an order of two sofas and a lamp, and returns its identifier. */
async function make(context, number, edits = {}) {
	const order = {
		externalId: number,
		date: day,
		reference: 'By rule',
		customer: { externalId: 'C-100' },
		orderType: { name: 'Standard' },
		vehicleType: { name: 'Van' },
		pickup: { externalId: 'T-OSL' },
		delivery: { name: 'Ola Hansen', address, contacts: [{ firstName: 'Ola', phoneNumber: '+4740000001' }, { firstName: 'Kari' }] },
		products: [
			{ externalId: 'S', name: 'Sofa', quantity: 2, weight: 20, length: 200, width: 90, height: 80 },
			{ externalId: 'L', name: 'Lamp', quantity: 1, weight: 3 }
		],
		...edits
	};
	const { results } = await call(context, 'POST', '/v3/orders/import', { orders: [order] });
	const id = Object.values(results[0]).find((one) => one?.OrderID)?.OrderID;
	assert.ok(id, JSON.stringify(results));
	return id;
}

const card = (page, title) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });

test('an order gets another vehicle type and prohibited drivers', async () => {
	const { page, context, close } = await open('dispatcher');
	const id = await make(context, 'DRIVE-1');
	await visit(page, `orders/${id}`);
	await page.getByRole('button', { name: 'Change the vehicle type' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Vehicle type').selectOption({ label: 'Box truck' });
	await dialog.getByRole('button', { name: 'Save' }).click();
	await card(page, 'Vehicle and drivers').getByText('Box truck').waitFor();
	const { vehicle_type: type } = await call(context, 'GET', `/v1/orders/${id}?loads=VehicleType`);
	assert.equal(type.name, 'Box truck');

	await page.getByRole('button', { name: 'Choose prohibited drivers' }).click();
	await dialog.getByLabel('Driver', { exact: true }).selectOption({ label: 'Nora Berg' });
	await dialog.getByLabel('Reason').fill('Was quarrelled with');
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByRole('button', { name: 'Save' }).click();
	await card(page, 'Vehicle and drivers').getByText('Nora Berg').waitFor();
	const { drivers } = await call(context, 'GET', `/v1/orders/${id}/prohibited-drivers`);
	assert.deepEqual(drivers.map(({ name, reason }) => [name, reason]), [['Nora Berg', 'Was quarrelled with']]);
	await close();
});

test('a fitting interval is booked for an order and cancelled, and others show why they don’t fit', async () => {
	const { page, context, close } = await open('dispatcher');
	const id = await make(context, 'SEAT-1', { date: weekday });
	await visit(page, `orders/${id}`);
	await page.getByRole('button', { name: 'Book an interval' }).click();
	const dialog = page.getByRole('dialog');
	const no = dialog.locator('label.no');
	await no.first().waitFor();
	assert.ok(await no.first().getByRole('radio').isDisabled(), 'what does not fit cannot be chosen');
	assert.match(await no.first().innerText(), /\n.+/, 'and says why');
	assert.deepEqual(await hindrances(page), []);
	const fitting = dialog.locator('label:not(.no)').getByRole('radio');
	const dateStays = /^The order is still planned for /;
	await fitting.first().check();
	assert.equal(await dialog.getByText(dateStays).count(), 0, 'it is the day of the order');
	await fitting.last().check();
	await dialog.getByText(dateStays).waitFor();
	await dialog.getByRole('button', { name: 'Book', exact: true }).click();
	const seat = card(page, 'Booked interval');
	await seat.getByText('Booked', { exact: true }).waitFor();
	await seat.getByText(dateStays).waitFor();
	const { order_locations: stops } = await call(context, 'GET', `/v1/orders/${id}?loads=OrderLocations`);
	assert.deepEqual(stops.map((stop) => stop.window_source), ['booking', 'booking']);

	await seat.getByRole('button', { name: 'Cancel the booking' }).click();
	await dialog.getByRole('button', { name: 'Cancel the booking' }).click();
	await seat.getByText('No interval booked').waitFor();
	assert.equal((await context.request.get(`/v2/orders/${id}/booking`)).status(), 404);
	await close();
});

test('tracking links are created, copied and ended', async () => {
	const { page, context, close } = await open('dispatcher');
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	const id = await make(context, 'TRACK-1');
	await visit(page, `orders/${id}`);
	await page.getByRole('button', { name: 'Create links' }).click();
	await page.getByLabel('Valid for days').fill('3');
	await page.getByRole('dialog').getByRole('button', { name: 'Create links' }).click();
	const links = card(page, 'Tracking links');
	await links.getByRole('button', { name: /^Copy: Delivery/ }).click();
	const copied = await page.evaluate(() => navigator.clipboard.readText());
	const [delivery] = (await call(context, 'GET', `/v1/orders/${id}?loads=OrderLocations,OrderLocations.TrackTraces`)).order_locations
		.filter((stop) => stop.type === 'delivery')
		.flatMap((stop) => stop.track_traces);
	assert.equal(copied, delivery.tracking_link);
	assert.ok(Math.abs(Date.parse(delivery.expires_at) - Date.now() - 72 * 3_600_000) < 600_000, 'three days');

	await links.getByRole('listitem').filter({ hasText: 'Delivery' }).getByRole('button', { name: 'Revoke the link' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Revoke the link' }).click();
	await until('one link is left', async () => (await links.getByRole('listitem').count()) === 1);
	await links.getByRole('listitem').getByText('Pickup').waitFor();
	await close();
});

test('goods are split off into a new order, except from an order under way', async () => {
	const { page, context, close } = await open('dispatcher');
	const id = await make(context, 'SPLIT-1', { date: dayAfter });
	await visit(page, `orders/${id}`);
	await page.getByRole('button', { name: 'Split the order' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Sofa').fill('3');
	await dialog.getByRole('button', { name: 'Split the order' }).click();
	await dialog.getByRole('alert').waitFor(); // there are only two
	await page.keyboard.press('Escape');
	await dialog.waitFor({ state: 'hidden' });
	await page.getByRole('button', { name: 'Split the order' }).click();
	await dialog.getByText('Your unsaved changes were restored.').waitFor();
	assert.equal(await dialog.getByLabel('Sofa').inputValue(), '3');
	await dialog.getByLabel('Sofa').fill('1');
	await dialog.getByLabel('Number').fill('SPLIT-REST');
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByRole('button', { name: 'Split the order' }).click();
	await dialog.getByRole('link', { name: 'SPLIT-REST' }).click();
	await page.getByRole('heading', { name: /SPLIT-REST/, level: 1 }).waitFor();
	const goods = async (number) => {
		const { order_products: products } = await call(context, 'GET', `/v1/orders/internal/${number}?loads=OrderProducts`);
		return products.map(({ name, quantity }) => `${quantity} ${name}`).sort();
	};
	assert.deepEqual(await goods('SPLIT-REST'), ['1 Sofa']);
	assert.deepEqual(await goods('SPLIT-1'), ['1 Lamp', '1 Sofa']);

	await call(context, 'PUT', `/v1/orders/${id}/status`, { order_status_id: 6 });
	await visit(page, `orders/${id}`);
	assert.ok(await page.getByRole('button', { name: 'Split the order' }).isDisabled());
	await page.getByText('Only an order that nobody has begun can be split.').waitFor();
	await close();
});

test('missing goods show the quantity, the reason, the reporter and the time', async () => {
	const { page, context, close } = await open('support');
	const dispatcher = await open('dispatcher');
	const id = await make(dispatcher.context, 'MISSING-1');
	await dispatcher.close();
	const reported = { missing_quantity: 1, missing_reason: 'Was not there', missing_driver_id: 1, missing_driver_name: 'Liv Sand', missing_reported_at: `${day}T06:12:00Z` };
	await context.route(`**/v1/orders/${id}?*`, async (route) => {
		const answer = await route.fetch();
		const order = await answer.json();
		order.order_products = order.order_products.map((one) => (one.name === 'Sofa' ? { ...one, ...reported } : one));
		await route.fulfill({ response: answer, json: order });
	});
	await visit(page, `orders/${id}`);
	const sofa = page.getByRole('row').filter({ hasText: 'Sofa' });
	await sofa.getByText('1 missing').waitFor();
	await sofa.getByText(/^Was not there · Reported by Liv Sand, .*\d\d:12$/).waitFor();
	assert.equal(await page.getByRole('row').filter({ hasText: 'Lamp' }).getByText('missing').count(), 0);
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('rules are previewed on an order and applied', async () => {
	const { page, context, close } = await open('dispatcher');
	const id = await make(context, 'RULED-1');
	const route = async () => (await call(context, 'GET', `/v1/orders/${id}`)).route_number;
	await visit(page, `orders/${id}`);
	await page.getByRole('button', { name: 'Apply rules' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('button', { name: 'Preview changes' }).click();
	await dialog.getByRole('heading', { name: 'Route by reference' }).waitFor();
	await dialog.getByRole('listitem').filter({ hasText: 'RULE-7' }).waitFor();
	assert.equal(await route(), null);
	await dialog.getByRole('button', { name: 'Apply the rules' }).click();
	await dialog.waitFor({ state: 'hidden' });
	await page.getByRole('definition').getByText('RULE-7').waitFor();
	assert.equal(await route(), 'RULE-7');
	await close();
});

test('a failed message is resent from its order’s history, by support, too, who can do nothing else', async () => {
	const { page, context, close } = await open('support');
	const { order_id: id } = await call(context, 'GET', '/v1/orders/internal/TOLD-1');
	await visit(page, `orders/${id}`);
	for (const name of ['Split the order', 'Create links', 'Apply rules', 'Choose prohibited drivers', 'Change the vehicle type', 'Edit']) {
		assert.equal(await page.getByRole('button', { name }).or(page.getByRole('link', { name, exact: true })).count(), 0, name);
	}
	const retries = async () => {
		const { records } = await call(context, 'POST', '/v1/order-notifications-log', { orderId: id, page: 1, perPage: 100 });
		return records.filter((record) => (record.email ?? record.sms).retryOf).length;
	};
	// One may have been sent again before: only those that were not have the
	// button.
	const before = await retries();
	const told = page.getByRole('listitem').filter({ hasText: 'Message sent again' });
	await page.getByRole('listitem').filter({ hasText: 'Message failed' }).getByRole('button', { name: 'Send again' }).first().click();
	await told.nth(before).waitFor();
	// The message's workflow writes it to the log, a moment after the event.
	await until('one more message of the log names another one', async () => (await retries()) === before + 1);
	await close();
});

test('an order is edited: only changes are saved, and a late edit is refused', async () => {
	const { page, context, close } = await open('dispatcher');
	const id = await make(context, 'EDIT-1');
	await visit(page, `orders/${id}`);
	await page.getByRole('link', { name: 'Edit', exact: true }).click();
	const delivery = page.getByRole('group', { name: 'Delivery' });
	const save = page.getByRole('button', { name: 'Save' });
	await delivery.waitFor();
	assert.ok(await save.isDisabled(), 'nothing is changed yet');
	await page.getByLabel('Reference', { exact: true }).fill('PO 7');
	await delivery.getByLabel('Instructions for the driver').fill('Ring twice');
	await delivery.getByLabel('Not before', { exact: true }).fill(`${day}T11:00`);
	await delivery.getByLabel('Not after', { exact: true }).fill(`${day}T10:00`);
	await save.click();
	await page.getByRole('alert').getByText('delivery', { exact: false }).first().waitFor(); // it ends before it begins
	await delivery.getByLabel('Not after', { exact: true }).fill(`${day}T13:00`);
	await delivery.getByLabel('Phone').fill('+4740000002');
	await page.getByRole('group', { name: 'Goods' }).getByLabel('Quantity').first().fill('4');
	assert.deepEqual(await hindrances(page), []);

	const loads = 'OrderLocations,OrderLocations.Address,OrderLocations.OrderLocationContacts,OrderProducts';
	const read = () => call(context, 'GET', `/v1/orders/${id}?loads=${loads}`);
	const before = await read();
	await save.click();
	await page.getByRole('heading', { name: /EDIT-1/, level: 1 }).waitFor();
	const now = await read();
	assert.equal(now.reference, 'PO 7');
	const stop = (order) => order.order_locations.find((one) => one.type === 'delivery');
	assert.equal(stop(now).instructions, 'Ring twice');
	assert.equal(Date.parse(stop(now).latest) - Date.parse(stop(now).earliest), 2 * 3_600_000);
	assert.deepEqual(stop(now).address, stop(before).address);
	assert.equal(stop(now).name, 'Ola Hansen');
	assert.deepEqual(
		stop(now).order_location_contacts.map(({ first_name: name, phone_number: phone }) => [name, phone]),
		[['Ola', '+4740000002'], ['Kari', null]]
	);
	assert.deepEqual(
		now.order_products.map(({ name, quantity, length }) => [name, quantity, length]).sort(),
		[['Lamp', 1, null], ['Sofa', 4, 200]]
	);

	await page.getByRole('link', { name: 'Edit', exact: true }).click();
	await page.getByLabel('Reference', { exact: true }).fill('Mine');
	await call(context, 'PUT', `/v1/orders/${id}`, { reference: 'Theirs' });
	await save.click();
	await page.getByRole('button', { name: 'Load the current order' }).click();
	await until('the form shows the other change', async () => (await page.getByLabel('Reference', { exact: true }).inputValue()) === 'Theirs');
	await close();
});

test('a document is attached, opened, detached and deleted', async () => {
	const { page, context, close } = await open('dispatcher');
	const id = await make(context, 'PAPER-1');
	await visit(page, `orders/${id}`);
	const documents = card(page, 'Documents');
	await documents.getByLabel('Add documents').setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Mind the step') });
	await documents.getByRole('button', { name: 'note.txt' }).waitFor();
	const [{ document_id: document }] = (await call(context, 'GET', `/v1/orders/${id}?loads=Documents`)).documents;
	const { download_url: bytes } = await call(context, 'GET', `/v1/documents/${document}`);
	const { pathname, search } = new URL(bytes);
	assert.equal(await (await context.request.get(pathname + search)).text(), 'Mind the step');

	await documents.getByRole('button', { name: 'Remove' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Also delete the document for good').check();
	await dialog.getByRole('button', { name: 'Remove' }).click();
	await documents.getByText('No documents yet.').waitFor();
	assert.equal((await context.request.get(`/v1/documents/${document}`)).status(), 404);
	await close();
});
