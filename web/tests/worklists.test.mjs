// The work lists of a day: orders without a driver by reason and place, and late stops with their
// causes and remedies. Actions are counted: a click, a key or a text is one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, settled, until, visit } from './browser.mjs';

after(() => browser.close());

const reason = 'The customer has agreed.';
const readPlan = (context) => call(context, 'GET', `/v2/plans/${day}?pageSize=200`);

/** Imports orders whose deliveries must be over before any driver begins, to one street. */
async function tooEarly(context, prefix, count, postalCode = '0192') {
	const at = (time) => `${day}T${time}:00Z`;
	const orders = Array.from({ length: count }, (_, index) => ({
		externalId: `${prefix}-${index}`,
		date: day,
		customer: { externalId: 'C-100' },
		orderType: { name: 'Standard' },
		vehicleType: { name: 'Van' },
		pickup: { externalId: 'T-OSL', earliest: at('01:00'), latest: at('20:00') },
		delivery: {
			name: `Butikk ${index}`, earliest: at('01:30'), latest: at('02:00'),
			address: { address1: `Mosseveien ${index + 1}`, postalCode, city: 'Oslo', country: 'NO' },
			contacts: [{ firstName: 'Oda', phoneNumber: '+4792100629' }]
		},
		products: [{ name: 'Box', quantity: 1, weight: 5 }]
	}));
	const { results } = await call(context, 'POST', '/v3/orders/import', { orders });
	const ids = results.map((result) => result.orderCreated.OrderID);
	await until('they are unplanned', async () => {
		const { unplanned } = await readPlan(context);
		return ids.every((id) => unplanned.some(({ orderId }) => orderId === id));
	});
	return ids;
}

async function driversOf(context, ids) {
	const { routes } = await readPlan(context);
	return ids.map((id) => routes.find(({ stops }) => stops.some(({ orderId }) => orderId === id))?.driverId);
}

test('ten unplanned orders of a suburb go to two drivers with eight actions', async () => {
	const { page, context, close } = await open('dispatcher');
	const ids = await tooEarly(context, 'SUBURB', 10);
	await visit(page, `day/${day}?only=unplanned`);
	const list = page.getByRole('region', { name: /^No driver/ });
	await list.getByText('Butikk 3, Mosseveien 4').waitFor();
	let actions = 0;
	const act = (what) => (actions++, what);
	const dialog = page.getByRole('dialog');
	await act(list.getByRole('checkbox', { name: /^Choose 10 orders: 0192 Oslo/ }).check());
	let first = 'nobody yet';
	for (const left of [10, 5]) {
		const best = list.getByRole('region', { name: 'Best drivers' });
		// The buttons of an earlier answer stay, disabled, until the next one is there; they then say something else.
		await best.getByText(`takes ${left} of ${left}`).first().waitFor();
		await settled(page);
		const rows = await best.getByRole('listitem').count();
		assert.ok(rows >= 1 && rows <= 3, `${rows} drivers`);
		if (left === 10) assert.deepEqual(await hindrances(page), []);
		const driver = best.getByRole('listitem').filter({ hasText: `takes ${left} of ${left}`, hasNotText: first }).first();
		first = await driver.locator('b').innerText();
		await act(driver.getByRole('button', { name: /^Give 5 orders/ }).click());
		await dialog.getByText(/^Breaks/).waitFor();
		await act(dialog.getByLabel('Reason').fill(reason));
		await act(dialog.getByRole('button', { name: 'Move', exact: true }).click());
		await dialog.getByText('Done').nth(4).waitFor();
		if (left === 10) await act(dialog.getByRole('button', { name: 'Close' }).last().click());
	}
	assert.ok(actions <= 8, `${actions} actions`);
	const drivers = await driversOf(context, ids);
	assert.ok(drivers.every(Boolean), JSON.stringify(drivers));
	assert.equal(new Set(drivers).size, 2);
	for (const driver of new Set(drivers)) assert.equal(drivers.filter((one) => one === driver).length, 5);
	await close();
});

test('late stops are listed, the worst first, with causes, calls and remedies', async () => {
	const { page, context, close } = await open('dispatcher', { width: 1024 });
	const ids = await tooEarly(context, 'LATE', 2, '0575');
	const { plans, unplanned } = await readPlan(context);
	const { departmentId } = unplanned.find(({ orderId }) => orderId === ids[0]);
	const { version } = plans.find((one) => one.departmentId === departmentId);
	const query = `orderIds=${ids}${departmentId ? `&departmentId=${departmentId}` : ''}`;
	const { drivers } = await call(context, 'GET', `/v2/plans/${day}/candidates/together?${query}`);
	const moves = ids.map((orderId) => ({ orderId, driverId: drivers[0].driverId }));
	await call(context, 'POST', `/v2/plans/${day}/moves`, { version, departmentId, reason, moves });
	await visit(page, `day/${day}`);
	await page.getByRole('button', { name: /^Late/ }).click();
	const list = page.getByRole('region', { name: /^Late/ });
	const minutes = async () =>
		(await list.locator('.line b').allInnerTexts()).map((text) => Number(/(?:(\d+) h )?(\d+) min late/.exec(text).slice(1).reduce((sum, part) => sum * 60 + Number(part ?? 0), 0)));
	await list.locator('.line b').nth(1).waitFor();
	const shown = await minutes();
	assert.ok(shown.length >= 2, JSON.stringify(shown));
	assert.deepEqual(shown, [...shown].sort((a, b) => b - a));
	const line = list.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'LATE-1', exact: true }) });
	await line.getByText(`moved it to ${drivers[0].driverName}: ${reason}`).waitFor();
	await line.getByRole('button', { name: 'LATE-1', exact: true }).click();
	await line.getByRole('link', { name: /^Call customer/ }).waitFor();
	assert.equal(await line.getByRole('link', { name: /^Call customer/ }).getAttribute('href'), 'tel:+4792100629');
	const remedies = line.getByRole('list', { name: 'Suggestions' });
	await remedies.getByText(/ km · |No other driver/).first().waitFor();
	assert.ok((await remedies.getByRole('listitem').count()) >= 2);
	await settled(page);
	assert.deepEqual(await hindrances(page), []);

	// The later window makes it on time, and undo makes it late again.
	const latest = async () => {
		const order = await call(context, 'GET', `/v1/orders/${ids[1]}?loads=OrderLocations`);
		return order.order_locations.find(({ type }) => type === 'delivery').latest;
	};
	const before = await latest();
	await remedies.getByRole('button', { name: /^Extend the window to/ }).click();
	await page.getByText(/The time window of LATE-1 now ends at/).waitFor();
	assert.ok((await latest()) > before);
	await page.locator('.toast').filter({ hasText: 'LATE-1' }).getByRole('button', { name: 'Undo' }).click();
	await until('the window is as before', async () => (await latest()) === before);
	await close();
});

test('work lists fit on a narrow screen', async () => {
	const { page, context, close } = await open('dispatcher', { width: 320, language: 'nb', theme: 'dark' });
	await tooEarly(context, 'NARROW', 2, '0661');
	await visit(page, `day/${day}?only=unplanned`);
	await page.getByRole('checkbox', { name: /^Velg 2 ordrer: 0661 Oslo/ }).check();
	await page.getByRole('region', { name: 'Beste sjåfører' }).getByText(/ km · /).first().waitFor();
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the window');
	for (const only of ['late', 'risk']) {
		await visit(page, `day/${day}?only=${only}`);
		await page.getByRole('region', { name: only === 'late' ? /^Sen/ : /^Kan/ }).waitFor();
		assert.deepEqual(await hindrances(page), []);
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${only} fits`);
	}
	await close();
});
