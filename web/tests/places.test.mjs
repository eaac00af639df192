// Addresses that were not found: the counter on the day, the pin, the
// suggestions, and the search for addresses in forms.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, hindrances, open, settled, until, visit, weekday } from './browser.mjs';

after(() => browser.close());

// A day that is planned already, and which no other test uses.
const later = new Date(Date.parse(`${weekday}T00:00Z`) + 10 * 86_400_000).toISOString().slice(0, 10);

async function deliver(context, number, address) {
	const order = {
		externalId: number,
		date: later,
		customer: { externalId: 'C-100' },
		orderType: { name: 'Standard' },
		vehicleType: { name: 'Van' },
		pickup: { externalId: 'T-OSL' },
		delivery: { name: `To ${number}`, address: { country: 'NO', ...address } },
		products: [{ name: 'Box', quantity: 1, weight: 1 }]
	};
	let id;
	await until(`${number} is imported`, async () => {
		const { results } = await call(context, 'POST', '/v3/orders/import', { orders: [order] });
		id = (results[0].orderCreated ?? results[0].orderUpdated)?.OrderID;
		if (!id) console.log(JSON.stringify(results)); // such as an order that something else holds
		return id;
	});
	return id;
}

const positionOf = async (context, id) => {
	const order = await call(context, 'GET', `/v1/orders/${id}?loads=OrderLocations`);
	return order.order_locations.find((stop) => stop.type === 'delivery').position;
};

/** Waits for the response to a moved pin. */
const put = (page) => page.waitForResponse((one) => one.request().method() === 'PUT' && one.url().includes('/v1/places/'));

const toMap = (page) => page.locator('.pin').scrollIntoViewIfNeeded();

test('a dragged pin places an order, and the plan follows', async () => {
	const { page, context, close } = await open('dispatcher');
	const id = await deliver(context, 'PIN-1', { address1: 'Ukjentveien 5', city: 'Nowhere' });
	await deliver(context, 'PIN-2', { address1: 'Ukjentveien 6', postalCode: '0155', city: 'Oslo' });
	assert.equal((await positionOf(context, id)).precision, 'UNKNOWN');

	await visit(page, `day/${later}`);
	const unplanned = page.locator('li', { has: page.getByRole('button', { name: 'PIN-1', exact: true }) });
	await unplanned.getByText('Ukjentveien 5, Nowhere').waitFor();
	await unplanned.getByText('The town was not found.').waitFor();
	assert.match(await unplanned.getByRole('link', { name: 'Check the address' }).getAttribute('href'), new RegExp(`places\\?date=${later}$`));
	const { unknownAddresses } = await call(context, 'GET', `/v2/orders/${id}/planning`);
	assert.deepEqual(unknownAddresses.map(({ stop, address, position }) => [stop, address, position.unknown]), [['DELIVERY', 'Ukjentveien 5, Nowhere', 'town']]);
	await page.getByRole('link', { name: /^Not found 2$/ }).click();
	await page.getByRole('heading', { name: 'Places to check', level: 1 }).waitFor();
	await page.getByRole('button', { name: 'To PIN-1' }).click();
	const pin = page.getByRole('button', { name: /^Pin of To PIN-1/ });
	await pin.waitFor();
	await settled(page);
	await toMap(page);
	const before = await pin.getAttribute('data-at');
	const box = await pin.boundingBox();
	const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
	await page.mouse.move(x, y);
	await page.mouse.down();
	for (let step = 1; step <= 10; step++) await page.mouse.move(x + 4 * step, y + 3 * step);
	await page.mouse.up();
	await until('the pin has moved', async () => (await pin.getAttribute('data-at')) !== before);
	const [latitude, longitude] = (await pin.getAttribute('data-at')).split(' ').map(Number);
	assert.equal(await page.getByLabel('Latitude and longitude').inputValue(), `${latitude}, ${longitude}`);
	const [answer] = await Promise.all([put(page), page.getByRole('button', { name: 'Put the pin here' }).click()]);
	assert.equal(answer.status(), 200);
	await page.getByText('One order was placed again.').waitFor();
	const position = await positionOf(context, id);
	assert.deepEqual([position.source, position.latitude, position.longitude], ['PERSON', latitude, longitude]);
	await until('the order is planned', async () => (await call(context, 'GET', `/v2/orders/${id}/planning`)).state === 'PLANNED');

	// The other one has the next turn: its pin moves by keys, too.
	const other = page.getByRole('button', { name: /^Pin of To PIN-2/ });
	await other.focus();
	const [north] = (await other.getAttribute('data-at')).split(' ').map(Number);
	await page.keyboard.press('ArrowUp');
	await until('the pin has moved north', async () => Number((await other.getAttribute('data-at')).split(' ')[0]) > north);
	assert.deepEqual(await hindrances(page), []);
	const [again] = await Promise.all([put(page), page.keyboard.press('Enter')]);
	assert.equal(again.status(), 200);
	await page.getByText('No addresses to check').waitFor();
	await visit(page, `day/${later}`);
	await page.getByRole('link', { name: /^Not found 0$/ }).waitFor();
	await close();
});

test('a suggestion is accepted with one click', async () => {
	const { page, context, close } = await open('dispatcher');
	const id = await deliver(context, 'MEANT-1', { address1: 'Karl Johns gate 22', postalCode: '0155', city: 'Oslo' });
	assert.equal((await positionOf(context, id)).precision, 'POSTAL_CODE');
	await visit(page, `orders/${id}`);
	await page.getByText('Only the postal code').waitFor();
	await page.getByRole('link', { name: 'Check the address' }).click();
	await page.getByRole('button', { name: 'To MEANT-1', exact: true }).click();
	await page.getByRole('heading', { name: 'Was this meant?' }).waitFor();
	const [answer] = await Promise.all([put(page), page.getByRole('button', { name: 'Accept Karl Johans gate 22, 0026 Oslo' }).first().click()]);
	assert.equal(answer.status(), 200);
	await page.getByRole('button', { name: 'To MEANT-1', exact: true }).waitFor({ state: 'hidden' });
	assert.equal((await positionOf(context, id)).source, 'PERSON');
	await close();
});

test('an address is found while it is typed, by keys, and fills the fields', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders/new');
	const delivery = page.getByRole('group', { name: 'Delivery' });
	const field = delivery.getByRole('combobox', { name: 'Street and number' });
	await field.pressSequentially('karl johns gat'); // a letter is missing
	await delivery.getByRole('option', { name: /^Karl Johans gate/ }).first().waitFor();
	await page.getByText('© OpenStreetMap contributors').first().waitFor();
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	assert.equal(await field.inputValue(), 'Karl Johans gate ');
	await delivery.getByRole('option', { name: /^Karl Johans gate \d/ }).first().waitFor();
	assert.deepEqual(await hindrances(page), []);
	await field.pressSequentially('22');
	await delivery.getByRole('option', { name: /^Karl Johans gate 22,/ }).first().click();
	assert.equal(await field.inputValue(), 'Karl Johans gate 22');
	assert.equal(await delivery.getByLabel('Town', { exact: true }).inputValue(), 'Oslo');
	assert.match(await delivery.getByLabel('Postal code', { exact: true }).inputValue(), /^\d{4}$/);
	assert.equal(await delivery.getByLabel('Country', { exact: true }).inputValue(), 'NO');
	assert.equal(await field.getAttribute('aria-expanded'), 'false');

	// What the register does not know can be typed all the same.
	await field.fill('Xyzzyveien 1');
	await settled(page);
	await page.keyboard.press('Enter');
	assert.equal(await field.inputValue(), 'Xyzzyveien 1');
	assert.equal(await delivery.getByRole('option').count(), 0);
	await close();
});

test('the home of a driver is a location that is made from an address', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, 'drivers/new');
	const name = 'Storgata 32';
	await page.getByRole('button', { name: 'New location at an address' }).first().click();
	const field = page.getByRole('combobox', { name: 'Address of the new location' });
	await field.fill(name);
	await page.getByRole('option', { name: new RegExp(`^${name},`) }).first().click();
	await field.waitFor({ state: 'detached' });
	const chosen = () => page.getByRole('combobox').evaluateAll((fields) => fields.map((one) => one.value));
	await until('the location is chosen', async () => (await chosen()).some((value) => value.startsWith(`${name},`)));
	const { items } = await call(context, 'GET', `/v1/locations?query=${encodeURIComponent(name)}`);
	assert.ok(items.some((one) => one.name.startsWith(name)), JSON.stringify(items));
	await close();
});
