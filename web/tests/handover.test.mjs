// What dispatchers do with many orders at once: handing a route over to another
// driver, and moving several orders together. It compares the page with the
// service's plan.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, until, visit } from './browser.mjs';

after(() => browser.close());

const planOf = (context) => call(context, 'GET', `/v2/plans/${day}?pageSize=200`);

/** The driver of each order in the service's plan, and whether it is locked. */
async function drivers(context) {
	const { routes } = await planOf(context);
	return new Map(routes.flatMap((route) => route.stops.map((stop) => [stop.orderId, { driverId: route.driverId, locked: stop.locked }])));
}

test('a route is handed over: orders that don’t fit are listed and stay, the rest moves, and it is undone', async () => {
	const { page, context, close } = await open('dispatcher');
	const { routes } = await planOf(context);
	const ordersOf = (route) => [...new Set(route.stops.map((stop) => stop.orderId))];
	const from = routes.toSorted((a, b) => b.stops.length - a.stops.length)[0];
	const to = routes.find((route) => route.departmentId === from.departmentId && route.driverId !== from.driverId);
	const orders = ordersOf(from);
	assert.ok(orders.length > 1, JSON.stringify(from));
	const stays = from.stops.find((stop) => stop.orderId === orders[0]);
	await call(context, 'PUT', `/v1/orders/${stays.orderId}/prohibited-drivers`, { drivers: [{ driver_id: to.driverId }] });

	await visit(page, `day/${day}`);
	await page.locator(`[data-cell="d${from.driverId}"]`).click();
	await page.getByRole('button', { name: 'Hand over the route…' }).click();
	await page.getByRole('searchbox', { name: 'Find a driver' }).fill(to.driverName);
	await page.getByRole('dialog').getByRole('button', { name: to.driverName }).click();
	const dialog = page.getByRole('dialog', { name: `Hand over the route of ${from.driverName} to ${to.driverName}?` });
	await dialog.getByText(/orders? can be handed over/).waitFor();
	await dialog.getByRole('listitem').filter({ hasText: stays.externalId }).getByText(`${to.driverName} is not allowed to drive the order.`).waitFor();
	assert.deepEqual(await hindrances(page), []);
	const before = await drivers(context);
	assert.equal(before.get(orders[1]).driverId, from.driverId, 'nothing has moved by a look');

	const said = await dialog.getByRole('button', { name: /^Hand over \d+ orders?$/ }).innerText();
	const count = Number(said.match(/\d+/)[0]);
	assert.ok(count > 0 && count < orders.length, said);
	await dialog.getByRole('button', { name: said }).click();
	await dialog.waitFor({ state: 'hidden' });
	await page.getByText(new RegExp(`^${count} orders? handed over to ${to.driverName}\\.`)).waitFor();
	const went = (now) => orders.filter((id) => now.get(id)?.driverId === to.driverId);
	const handed = went(await drivers(context));
	assert.equal(handed.length, count);
	assert.ok(!handed.includes(stays.orderId));
	assert.ok(handed.every((id) => before.get(id).driverId === from.driverId));

	await page.getByRole('button', { name: 'Undo' }).first().click();
	await page.getByText(/ moved back\./).waitFor();
	await until('they are with their driver, and not locked', async () => {
		const now = await drivers(context);
		return handed.every((id) => now.get(id)?.driverId === from.driverId && now.get(id).locked === before.get(id).locked);
	});
	await call(context, 'PUT', `/v1/orders/${stays.orderId}/prohibited-drivers`, { drivers: [] });
	await close();
});

test('moving several orders together is confirmed in the dialog and the note', async () => {
	const { page, context, close } = await open('dispatcher');
	const at = (time) => `${day}T${time}:00Z`;
	const address = { address1: 'Thorvald Meyers gate 40', postalCode: '0555', city: 'Oslo', country: 'NO' };
	const orders = ['BATCH-1', 'BATCH-2', 'BATCH-3'].map((externalId) => ({
		externalId,
		date: day,
		customer: { externalId: 'C-100' },
		orderType: { name: 'Standard' },
		vehicleType: { name: 'Cargo bike' },
		pickup: { externalId: 'T-OSL' },
		delivery: { name: 'Kari Nordmann', address, earliest: at('09:00'), latest: at('14:00') },
		products: [{ name: 'Safe', quantity: 1, weight: 500 }] // too heavy for it
	}));
	const { results } = await call(context, 'POST', '/v3/orders/import', { orders });
	const ids = results.map((result) => result.orderCreated.OrderID);
	await visit(page, `day/${day}`);
	for (const { externalId } of orders) await page.getByRole('checkbox', { name: externalId }).check();
	await page.getByRole('button', { name: 'Move 3 orders to…' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('button', { name: 'Amir Haddad' }).click();
	await dialog.getByLabel('Reason').fill('The customer has agreed.');

	// The page reads the plan from before the move once more, as when responses
	// arrive out of order.
	const old = await context.request.get(`/v2/plans/${day}?pageSize=200`).then((answer) => answer.json());
	let stale = 2;
	await page.route(`**/v2/plans/${day}?*`, (route) => (stale-- > 0 ? route.fulfill({ json: old }) : route.continue()));
	await dialog.getByRole('button', { name: 'Move', exact: true }).click();
	await page.getByText('3 orders moved to Amir Haddad.').first().waitFor();
	const of = (number) => dialog.getByRole('listitem').filter({ hasText: number });
	for (const { externalId } of orders) {
		await of(externalId).getByText('Done').waitFor();
		assert.doesNotMatch(await of(externalId).innerText(), /Not/);
	}
	await page.unroute(`**/v2/plans/${day}?*`);
	const now = await drivers(context);
	assert.equal(new Set(ids.map((id) => now.get(id)?.driverId)).size, 1);
	assert.ok(now.get(ids[0]));
	await close();
});
