// What others changed on a day since somebody looked, and the filters of the log. Its day is empty.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ahead, browser, call, hindrances, open, settled, until, visit } from './browser.mjs';

after(() => browser.close());

const date = ahead(11);
const readPlan = (context) => call(context, 'GET', `/v2/plans/${date}?pageSize=200`);

/** Imports an order of some kilograms from the terminal to a street. */
function imported(context, externalId, weight) {
	return call(context, 'POST', '/v3/orders/import', {
		orders: [{
			externalId, date,
			customer: { externalId: 'C-100' }, orderType: { name: 'Standard' }, vehicleType: { name: 'Van' },
			pickup: { externalId: 'T-OSL' },
			delivery: {
				name: 'Kari Nordmann', earliest: `${date}T06:00:00Z`, latest: `${date}T18:00:00Z`,
				address: { address1: 'Kirkeveien 50', postalCode: '0368', city: 'Oslo', country: 'NO' }
			},
			products: [{ name: 'Box', quantity: 1, weight }]
		}]
	});
}

/** Imports an order, and waits until it has a driver. */
async function planned(context, externalId) {
	const { results } = await imported(context, externalId, 5);
	const id = results[0].orderCreated.OrderID;
	await until('it is planned', async () => (await routeOf(context, id)) !== undefined);
	return id;
}

const routeOf = async (context, id) => (await readPlan(context)).routes.find(({ stops }) => stops.some(({ orderId }) => orderId === id));

test('what a colleague changed is counted, told, shown and put back', async () => {
	const [mine, theirs] = [await open('dispatcher'), await open('admin')];
	const { page, context } = mine;
	const id = await planned(context, 'SINCE-1');
	await visit(page, `day/${date}?free=yes`);
	const button = page.getByRole('button', { name: /^Since you looked/ });
	await button.waitFor();

	const from = await routeOf(context, id);
	const { plans } = await readPlan(context);
	const { items } = await call(context, 'GET', `/v2/plans/${date}/drivers?pageSize=200`);
	const to = items.find(({ driverId, departmentId, driverName }) => departmentId === from.departmentId && driverId !== from.driverId && driverName !== 'Lars Dahl');
	const { version } = plans.find(({ departmentId }) => departmentId === from.departmentId);
	const moves = [{ orderId: id, driverId: to.driverId }];
	await call(theirs.context, 'POST', `/v2/plans/${date}/moves`, { version, departmentId: from.departmentId, reason: 'The customer asked.', moves });

	await page.getByRole('button', { name: /^Since you looked ?[1-9]/ }).click();
	const list = page.getByRole('region', { name: /^What others changed since/ });
	await list.getByText(`Kim admin moved 1 order to ${to.driverName}`).waitFor();
	await list.getByText(new RegExp(`${from.driverName} \\d\\d:\\d\\d → ${to.driverName} \\d\\d:\\d\\d`)).waitFor();
	assert.match(page.url(), /since=2\d{3}-/);
	await page.getByRole('button', { name: /^Since you looked ?0/ }).waitFor();
	await settled(page);
	assert.deepEqual(await hindrances(page), []);

	// A changed order says what it was and is.
	await imported(theirs.context, 'SINCE-1', 7.5);
	await page.reload();
	await list.getByText('Weight 5 kg → 7.5 kg').waitFor();

	// The board shows where it was, while a line is pointed at.
	const line = list.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'SINCE-1', exact: true }), hasText: `→ ${to.driverName}` }).last();
	await line.hover();
	await page.locator(`[role=row][data-driver="${from.driverId}"]`).getByText('SINCE-1', { exact: true }).waitFor();

	await line.getByRole('button', { name: /^Put back/ }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByText(/^(Fits|Breaks)/).waitFor();
	const why = dialog.getByLabel('Reason');
	if (await why.isVisible()) await why.fill('The customer has agreed.');
	await dialog.getByRole('button', { name: /^Move/ }).click();
	await until('it is back', async () => (await routeOf(context, id))?.driverId === from.driverId);

	// Since an hour ago, the new order is told; this person's own move is not.
	await list.getByRole('button', { name: 'An hour ago' }).click();
	await page.getByRole('region', { name: /^What others changed since/ }).waitFor();
	await settled(page);
	assert.equal(await list.getByText(/^Kim dispatcher/).count(), 0);
	await mine.close();
	await theirs.close();
});

test('the log is filtered by time of day, kind, driver and who did it, with causes in words', async () => {
	const { page, context, close } = await open('admin', { width: 320, language: 'en' });
	await planned(context, 'SINCE-2');
	await visit(page, 'activity');
	await page.getByRole('button', { name: 'An hour ago' }).click();
	await page.getByText('SINCE-2').first().waitFor();
	assert.match(page.url(), /since=2\d{3}-/);
	await page.getByRole('combobox', { name: 'Action' }).selectOption('order.created');
	await page.getByLabel("Leave out Waybill's own events").check();
	await settled(page);
	assert.match(page.url(), /kind=order\.created/);
	assert.match(page.url(), /people=yes/);
	await page.getByLabel('From time').fill('00:00');
	await page.getByLabel('From time').press('Enter');
	await page.waitForURL(/at=00(%3A|:)00/);
	assert.doesNotMatch(page.url(), /since=/);
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the window');
	await close();
});
