// Moves of the same order by two users, the effect of undo, and the texts about
// locks: by whom, why, and where to unlock.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, until, visit } from './browser.mjs';

after(() => browser.close());

const reason = 'The customer has agreed.';
const readPlan = (context) => call(context, 'GET', `/v2/plans/${day}?pageSize=200`);

/** The driver of an order in the service's plan. */
async function driverOf(context, order) {
	const { routes } = await readPlan(context);
	return routes.find(({ stops }) => stops.some(({ orderId }) => orderId === order))?.driverId;
}

/** An unlocked order, and two other drivers of its department. */
async function movable(context) {
	const { routes } = await readPlan(context);
	const { items } = await call(context, 'GET', `/v2/plans/${day}/drivers?pageSize=200`);
	for (const from of routes) {
		const [one, other] = items.filter(({ driverId, departmentId }) => driverId !== from.driverId && departmentId === from.departmentId);
		const stop = from.stops.find(({ locked, orderStatusId }) => !locked && orderStatusId === 2);
		if (stop && one && other) return { order: stop.orderId, number: stop.externalId, department: from.departmentId, from, one, other };
	}
	throw new Error(`nobody can be given anything: ${JSON.stringify(routes)}`);
}

/** Moves an order as another user, who sees the present plan. */
async function moves(context, { order, department }, to) {
	const { plans } = await readPlan(context);
	const { version } = plans.find(({ departmentId }) => departmentId === department);
	const body = { version, departmentId: department, reason, moves: [{ orderId: order, driverId: to.driverId }] };
	await call(context, 'POST', `/v2/plans/${day}/moves`, body);
}

/** Opens the dialog that asks whether to move an order to a driver. */
async function considers(page, { order }, to) {
	await visit(page, `day/${day}?sel=o${order}`);
	await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Move to…' }).click();
	await page.getByRole('searchbox', { name: 'Find a driver' }).fill(to.driverName);
	await page.getByRole('dialog').getByRole('button', { name: to.driverName }).click();
	await page.getByRole('dialog').getByText(/^(Fits|Breaks)/).waitFor();
}

/** Confirms the dialog. */
async function confirm(page, button = 'Move') {
	const dialog = page.getByRole('dialog');
	await dialog.getByText(/^(Fits|Breaks)/).waitFor();
	const why = dialog.getByLabel('Reason');
	if (await why.isVisible()) await why.fill(reason);
	await dialog.getByRole('button', { name: button, exact: true }).click();
}

test('moving an order after another user’s move shows that, and is still possible', async () => {
	const [mine, theirs] = [await open('dispatcher'), await open('admin')];
	const { page, context } = mine;
	const chosen = await movable(context);
	const { order, number, one, other } = chosen;
	await considers(page, chosen, other);
	let isDeaf = true; // the board is not updated until its own move is previewed
	await page.route('**/v2/plans/*?*', (route) => (isDeaf ? route.abort() : route.continue()));
	await moves(theirs.context, chosen, one);
	page.on('request', (request) => request.url().endsWith('/moves') && (isDeaf = false));
	await confirm(page);
	const dialog = page.getByRole('dialog');
	const said = new RegExp(`Kim admin moved ${number} to ${one.driverName} \\d+ (s|min) ago\\. Move anyway\\?`);
	await dialog.getByRole('alert').getByText(said).waitFor();
	assert.equal(await driverOf(context, order), one.driverId, 'the second has not overridden the first');
	await dialog.getByRole('button', { name: 'Leave it' }).click();

	await considers(page, chosen, other);
	await moves(theirs.context, chosen, chosen.from);
	await dialog.getByRole('alert').getByText(`Kim admin moved ${number} to ${chosen.from.driverName}. Move anyway?`).waitFor();
	await page.getByText(`Kim admin moved ${number} to ${chosen.from.driverName}.`, { exact: true }).waitFor();
	assert.deepEqual(await hindrances(page), []);
	await confirm(page, 'Move anyway');
	await dialog.waitFor({ state: 'hidden' });
	assert.equal(await driverOf(context, order), other.driverId);
	await mine.close();
	await theirs.close();
});

test('a move is not undone after another user’s move', async () => {
	const [mine, theirs] = [await open('dispatcher'), await open('admin')];
	const { page, context } = mine;
	const chosen = await movable(context);
	const { order, number, one, other } = chosen;
	await considers(page, chosen, one);
	await confirm(page);
	await page.getByText(`${number} moved to ${one.driverName}.`).waitFor();
	await moves(theirs.context, chosen, other);
	await page.getByRole('button', { name: 'Undo' }).first().click();
	await page.getByText(new RegExp(`Couldn't undo: Kim admin moved ${number} to ${other.driverName} \\d+ (s|min) ago\\.`)).waitFor();
	assert.equal(await driverOf(context, order), other.driverId);
	await mine.close();
	await theirs.close();
});

/**
 * Imports an order that only a cargo bike may carry, and that is too heavy for it; locks it to a
 * driver with another vehicle.
 */
async function lockedOut(context, number) {
	const at = (time) => `${day}T${time}:00Z`;
	const address = { address1: 'Thorvald Meyers gate 40', postalCode: '0555', city: 'Oslo', country: 'NO' };
	const { results } = await call(context, 'POST', '/v3/orders/import', {
		orders: [
			{
				externalId: number,
				date: day,
				customer: { externalId: 'C-100' },
				orderType: { name: 'Standard' },
				vehicleType: { name: 'Cargo bike' },
				pickup: { externalId: 'T-OSL' },
				delivery: { name: 'Kari Nordmann', address, earliest: at('09:00'), latest: at('14:00') },
				products: [{ name: 'Safe', quantity: 1, weight: 500 }]
			}
		]
	});
	const id = results[0].orderCreated.OrderID;
	const { items } = await call(context, 'GET', `/v2/plans/${day}/drivers?pageSize=200`);
	const driver = items.find(({ driverName }) => driverName === 'Amir Haddad');
	const lock = (driverId) => call(context, 'PUT', `/v1/orders/${id}/driver-lock`, { driver_id: driverId });
	const left = async () => (await readPlan(context)).unplanned.find(({ orderId }) => orderId === id);
	await lock(driver.driverId);
	await until('the plan leaves it over, with its lock', async () => (await left())?.lock?.driverId === driver.driverId);
	return { id, driver, relock: () => lock(driver.driverId), left };
}

test('an order without a driver is unlocked wherever its lock is shown', async () => {
	const { page, context, close } = await open('dispatcher');
	const { id, driver, relock, left } = await lockedOut(context, 'LOCKED-1');
	const unlocks = async (inside) => {
		await inside.getByText(`Locked to ${driver.driverName}`).waitFor();
		await inside.getByRole('button', { name: 'Unlock' }).click();
		await until('it is unlocked', async () => (await left())?.lock === null);
		await inside.getByText(`Locked to ${driver.driverName}`).waitFor({ state: 'hidden' });
		await relock();
	};
	await visit(page, `day/${day}?sel=o${id}`);
	await unlocks(page.locator('li').filter({ hasText: 'LOCKED-1' }));
	await visit(page, `day/${day}?sel=o${id}`);
	await unlocks(page.getByRole('region', { name: 'Selection' }));
	await visit(page, `orders/${id}`);
	assert.deepEqual(await hindrances(page), []);
	await unlocks(page.locator('section').filter({ has: page.getByRole('heading', { name: 'Planning' }) }));
	await close();
});

test('the history of an order has the reason of a move with violations and the driver’s name', async () => {
	const { page, context, close } = await open('dispatcher');
	const { id, driver } = await lockedOut(context, 'LOCKED-2');
	await considers(page, { order: id }, driver);
	await confirm(page);
	await until('the driver has it', async () => (await driverOf(context, id)) === driver.driverId);
	const chosen = page.getByRole('region', { name: 'Selection' });
	await chosen.getByText(reason).waitFor();
	await visit(page, `orders/${id}`);
	const story = page.locator('section').filter({ has: page.getByRole('heading', { name: 'History' }) });
	const locked = story.getByRole('listitem').filter({ hasText: reason });
	await locked.getByText('Locked to a driver').waitFor();
	await locked.getByText(driver.driverName).waitFor();
	await locked.getByText(/Kim dispatcher/).waitFor();
	assert.doesNotMatch(await story.innerText(), /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-/);
	await close();
});
