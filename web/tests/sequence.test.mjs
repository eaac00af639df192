// Routes by hand: the sequence of stops, a driver who can't work, and routes that are swapped or
// split. Each test has a day of its own, which no other test plans, on which one driver has all orders.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ahead, browser, call, hindrances, open, settled, until, visit } from './browser.mjs';

after(() => browser.close());

const streets = ['Mosseveien 10', 'Kirkeveien 50', 'Bogstadveien 5', 'Trondheimsveien 20', 'Thorvald Meyers gate 40'];
const codes = ['0192', '0368', '0355', '0560', '0555'];

const readPlan = (context, date) => call(context, 'GET', `/v2/plans/${date}?pageSize=200`);
const routeOf = async (context, date, name) => (await readPlan(context, date)).routes.find(({ driverName }) => driverName === name);
/** The deliveries of a route, in sequence. */
const deliveries = (route) => (route?.stops ?? []).filter(({ stop }) => stop === 'DELIVERY').map(({ externalId }) => externalId);

/** Gives five orders from the terminal to Nora Berg, on a day with no others. */
async function noraHasFive(context, date, prefix) {
	const orders = streets.map((address1, index) => ({
		externalId: `${prefix}-${index}`,
		date,
		customer: { externalId: 'C-100' },
		orderType: { name: 'Standard' },
		vehicleType: { name: 'Van' },
		pickup: { externalId: 'T-OSL' },
		delivery: {
			name: `Kunde ${index}`, earliest: `${date}T06:00:00Z`, latest: `${date}T18:00:00Z`,
			address: { address1, postalCode: codes[index], city: 'Oslo', country: 'NO' }
		},
		products: [{ name: 'Box', quantity: 1, weight: 5 }]
	}));
	const { results } = await call(context, 'POST', '/v3/orders/import', { orders });
	const ids = results.map((result) => result.orderCreated.OrderID);
	await until('they are planned', async () => {
		const { routes } = await readPlan(context, date);
		return ids.every((id) => routes.some(({ stops }) => stops.some(({ orderId }) => orderId === id)));
	});
	const { plans, routes } = await readPlan(context, date);
	const { departmentId } = routes[0];
	const { items } = await call(context, 'GET', `/v2/plans/${date}/drivers?pageSize=200`);
	const nora = items.find(({ driverName }) => driverName === 'Nora Berg');
	const { version } = plans.find((plan) => plan.departmentId === departmentId);
	const moves = ids.map((orderId) => ({ orderId, driverId: nora.driverId }));
	await call(context, 'POST', `/v2/plans/${date}/moves`, { version, departmentId, reason: 'All for Nora.', moves });
	await until('Nora has them', async () => deliveries(await routeOf(context, date, 'Nora Berg')).length === 5);
	return { nora: nora.driverId, departmentId, ids };
}

/** Cancels these orders, so that their day is empty again. */
async function leave(context, date, prefix) {
	await call(context, 'POST', '/v2/orders/cancel-orders', { externalIds: streets.map((_, index) => `${prefix}-${index}`) });
	await until('the day is empty', async () => (await readPlan(context, date)).routes.every(({ stops }) => stops.every(({ externalId }) => !externalId.startsWith(prefix))));
}

async function drag(page, stop, x, y) {
	await stop.scrollIntoViewIfNeeded();
	const box = await stop.boundingBox();
	await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width / 2 + 12, box.y + box.height / 2, { steps: 3 });
	await page.mouse.move(x, y, { steps: 8 });
	await page.mouse.up();
}

const tried = (dialog) => dialog.getByText(/^(Fits|\d+ stops? late)$/).waitFor();
async function keep(page, dialog) {
	await tried(dialog);
	const why = dialog.getByLabel('Reason');
	if (await why.isVisible()) await why.fill('The customer has agreed.');
	await dialog.getByRole('button', { name: 'Keep this sequence' }).click();
	await dialog.waitFor({ state: 'hidden' });
}

test('a stop gets another place by mouse, by keys and in the list, with its cost first, and is held there', async () => {
	const { page, context, close } = await open('dispatcher');
	const date = ahead(11);
	const { nora } = await noraHasFive(context, date, 'SEQ');
	const before = deliveries(await routeOf(context, date, 'Nora Berg'));
	await visit(page, `day/${date}?zoom=2`);
	const row = page.locator(`[role=row][data-driver="${nora}"]`);
	const cell = (number, orders) => row.locator(`[data-cell="${orders.find(({ externalId, stop }) => externalId === number && stop === 'DELIVERY').orderId}-DELIVERY"]`);
	let { stops } = await routeOf(context, date, 'Nora Berg');
	const dialog = page.getByRole('dialog', { name: 'Sequence of Nora Berg' });

	// By mouse: the third delivery before the second one.
	const target = await cell(before[1], stops).boundingBox();
	await drag(page, cell(before[2], stops), target.x + 1, target.y + target.height / 2);
	await tried(dialog);
	assert.deepEqual(await hindrances(page), []);
	assert.deepEqual(deliveries(await routeOf(context, date, 'Nora Berg')), before, 'nothing has changed by a look');
	await keep(page, dialog);
	const held = await routeOf(context, date, 'Nora Berg');
	assert.deepEqual(deliveries(held).slice(0, 2), [before[0], before[2]]);
	assert.ok(held.hold && !held.hold.closed, JSON.stringify(held.hold));
	await row.getByText('Held sequence').waitFor({ state: 'attached' });

	// One undo brings the former sequence back, without a hold.
	await page.getByRole('button', { name: 'Undo' }).first().click();
	await page.getByText('The route of Nora Berg has its former sequence again.').waitFor();
	await until('the former sequence is back', async () => {
		const route = await routeOf(context, date, 'Nora Berg');
		return !route.hold && deliveries(route).join() === before.join();
	});

	// By keys: the last delivery first.
	({ stops } = await routeOf(context, date, 'Nora Berg'));
	const last = before.at(-1);
	await until('the board shows it', async () => (await cell(last, stops).count()) === 1);
	await cell(last, stops).focus();
	await page.keyboard.press('f');
	await keep(page, dialog);
	await until('it is first', async () => deliveries(await routeOf(context, date, 'Nora Berg'))[0] === last);

	// In the list: before the first one by mouse; what is held already stays before it.
	await visit(page, `day/${date}?view=list`);
	const now = deliveries(await routeOf(context, date, 'Nora Berg'));
	const section = page.locator(`section[data-driver="${nora}"]`);
	const line = (number) => section.locator('tr').filter({ hasText: number }).filter({ hasText: 'Delivery' });
	await line(now[4]).scrollIntoViewIfNeeded();
	const over = await line(now[1]).boundingBox();
	await drag(page, line(now[4]).locator('td').first(), over.x + 40, over.y + 3);
	await keep(page, dialog);
	await until('it is before the other one', async () => {
		const sequence = deliveries(await routeOf(context, date, 'Nora Berg'));
		return sequence.indexOf(now[4]) < sequence.indexOf(now[1]);
	});

	// By button: after a chosen one.
	await until('the list shows it', async () => (await line(now[4]).count()) === 1);
	await line(now[0]).getByRole('button', { name: /^Place/ }).click();
	await dialog.getByRole('radio', { name: 'Last' }).check();
	await keep(page, dialog);
	await until('it is last', async () => deliveries(await routeOf(context, date, 'Nora Berg')).at(-1) === now[0]);

	// The whole route the other way around, and released.
	await visit(page, `day/${date}?sel=d${nora}`);
	const panel = page.getByRole('region', { name: 'Selection' });
	await panel.getByRole('button', { name: 'Hold as it is…' }).click(); // so that planning leaves it
	await keep(page, dialog);
	const forth = deliveries(await routeOf(context, date, 'Nora Berg'));
	await panel.getByRole('button', { name: 'Reverse…' }).click();
	await keep(page, dialog);
	assert.deepEqual(deliveries(await routeOf(context, date, 'Nora Berg')), forth.toReversed());
	await panel.getByRole('button', { name: 'Release' }).click();
	await page.getByText('The route of Nora Berg is released.').waitFor();
	await until('nobody holds it', async () => !(await routeOf(context, date, 'Nora Berg')).hold);
	await leave(context, date, 'SEQ');
	await close();
});

test('a driver is sick: the route goes to one driver or to several, with one undo', async () => {
	const { page, context, close } = await open('dispatcher');
	const date = ahead(7);
	const { nora } = await noraHasFive(context, date, 'SICK'); // locked to her, which keeps none of them
	const workday = async () => (await call(context, 'GET', `/v1/drivers/${nora}/workdays?start_date=${date}&end_date=${date}`)).workdays[0];
	const before = { stops: (await routeOf(context, date, 'Nora Berg')).stops.map(({ externalId, stop }) => `${externalId} ${stop}`), workday: await workday() };
	assert.ok(before.workday);
	await visit(page, `day/${date}?sel=d${nora}`);
	const panel = page.getByRole('region', { name: 'Selection' });
	const dialog = page.getByRole('dialog', { name: 'Nora Berg can\'t work' });
	for (const way of ['Give the route to one driver', 'Spread the orders over several drivers']) {
		await panel.getByRole('button', { name: 'Sick today…' }).click();
		await dialog.getByRole('radio', { name: way }).and(page.locator(':enabled')).waitFor();
		await dialog.getByRole('radio', { name: way }).check();
		await dialog.getByRole('list', { name: 'Routes that change' }).waitFor();
		await settled(page);
		assert.deepEqual(await hindrances(page), []);
		assert.equal(deliveries(await routeOf(context, date, 'Nora Berg')).length, 5, 'nothing has changed by a look');
		await dialog.getByRole('button', { name: way.startsWith('Give') ? /^Give the route to / : 'Spread the orders' }).click();
		await dialog.waitFor({ state: 'hidden' });
		await page.getByText(/^Nora Berg is off\. 5 orders moved to /).last().waitFor();
		await until('others have them, and Nora is off', async () => {
			const { routes, unplanned } = await readPlan(context, date);
			const elsewhere = routes.filter(({ driverName }) => driverName !== 'Nora Berg').flatMap(deliveries);
			return unplanned.length === 0 && elsewhere.filter((number) => number.startsWith('SICK')).length === 5 && !(await workday());
		});
		await page.getByRole('button', { name: 'Undo' }).first().click();
		await page.getByText('Nora Berg works again, with the same route.').last().waitFor();
		await until('Nora has her route and her day', async () => {
			const route = await routeOf(context, date, 'Nora Berg');
			return route?.stops.map(({ externalId, stop }) => `${externalId} ${stop}`).join() === before.stops.join();
		});
		assert.deepEqual(await workday(), before.workday);
		await until('the board shows it', async () => (await page.locator(`[role=row][data-driver="${nora}"] [data-order]`).count()) > 0);
	}
	await close();
});

test('two drivers swap their routes, and a part of a route goes to somebody else', async () => {
	const { page, context, close } = await open('dispatcher');
	const date = ahead(11);
	const { nora } = await noraHasFive(context, date, 'SWAP');
	await visit(page, `day/${date}?sel=d${nora}`);
	const panel = page.getByRole('region', { name: 'Selection' });
	await panel.getByRole('button', { name: 'Swap routes…' }).click();
	const dialog = page.getByRole('dialog', { name: 'Swap the route of Nora Berg' });
	const amir = await dialog.getByRole('option', { name: /^Amir Haddad/ }).getAttribute('value');
	await dialog.getByLabel('With the route of').selectOption(amir);
	await dialog.getByText('Fits', { exact: true }).waitFor();
	await dialog.getByRole('list', { name: 'Routes that change' }).waitFor();
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByRole('button', { name: 'Swap the routes' }).click();
	await page.getByText('Nora Berg and Amir Haddad have swapped their routes.').waitFor();
	assert.equal(deliveries(await routeOf(context, date, 'Amir Haddad')).length, 5);
	await page.getByRole('button', { name: 'Undo' }).first().click();
	await page.getByText('Nora Berg and Amir Haddad have their own routes again.').waitFor();
	const route = await routeOf(context, date, 'Nora Berg');
	assert.equal(deliveries(route).length, 5);

	// From the fourth delivery on.
	const { orderId } = route.stops.find(({ externalId, stop }) => stop === 'DELIVERY' && externalId === deliveries(route)[3]);
	await visit(page, `day/${date}?sel=o${orderId}`);
	await panel.getByRole('button', { name: 'Hand over 2 orders from here on…' }).click();
	await page.getByRole('searchbox', { name: 'Find a driver' }).fill('Amir');
	await page.getByRole('dialog').getByRole('button', { name: 'Amir Haddad' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Hand over 2 orders' }).click();
	await page.getByText('2 orders handed over to Amir Haddad.').waitFor();
	assert.deepEqual(deliveries(await routeOf(context, date, 'Nora Berg')), deliveries(route).slice(0, 3));
	assert.equal(deliveries(await routeOf(context, date, 'Amir Haddad')).length, 2);
	await page.getByRole('button', { name: 'Undo' }).first().click();
	await page.getByText(/ moved back\./).waitFor();
	await until('Nora has them again', async () => deliveries(await routeOf(context, date, 'Nora Berg')).length === 5);
	await leave(context, date, 'SWAP');
	await close();
});

test('the dialogs fit on a narrow screen', async () => {
	const { page, context, close } = await open('dispatcher', { width: 320, language: 'nb', theme: 'dark' });
	const date = ahead(12);
	const { nora } = await noraHasFive(context, date, 'SLIM');
	await visit(page, `day/${date}?sel=d${nora}`);
	const panel = page.getByRole('region', { name: 'Det som er valgt' });
	const dialog = page.getByRole('dialog');
	for (const [button, shown] of [['Snu…', /^(Passer|\d+ stopp (sent|sene))$/], ['Syk i dag…', /ingenting sent|stopp sen/], ['Bytt ruter…', 'Med ruten til']]) {
		await panel.getByRole('button', { name: button }).click();
		await dialog.getByText(shown).first().waitFor();
		await settled(page);
		assert.deepEqual(await hindrances(page), [], button);
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${button} fits`);
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'hidden' });
	}
	await close();
});
