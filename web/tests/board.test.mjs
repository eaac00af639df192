// The board and the map of a day: visits as marks, how rows are arranged, and selections of several orders,
// on a day that no other test plans.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ahead, browser, call, hindrances, open, settled, until, visit } from './browser.mjs';

after(() => browser.close());

const date = ahead(8);
const another = ahead(6);
const readPlan = (context, of = date) => call(context, 'GET', `/v2/plans/${of}?pageSize=200`);

// Six addresses in Oslo, two of them the same, and one far away.
const doors = [
	[59.9139, 10.7522], [59.9225, 10.7589], [59.9225, 10.7589], [59.9301, 10.7141], [59.9052, 10.7703], [59.9402, 10.7803], [60.7945, 11.068]
];
const numbers = doors.map((_, index) => `BOARD-${index}`);
let ids;

before(async () => {
	const { context, close } = await open('dispatcher');
	const at = (time) => `${date}T${time}:00Z`;
	const orders = doors.map(([latitude, longitude], index) => ({
		externalId: numbers[index], date, customer: { externalId: 'C-100' }, orderType: { name: 'Standard' }, vehicleType: { name: 'Van' },
		pickup: { externalId: 'T-OSL', earliest: at('06:00'), latest: at('16:00') },
		delivery: {
			name: `Door ${doors.findIndex(([x]) => x === latitude)}`, estimatedTimeOnLocation: 10, earliest: at('07:00'), latest: at('18:00'),
			address: { address1: 'Storgata 1', postalCode: index < 4 ? '0155' : '0661', city: 'Oslo', country: 'NO', latitude, longitude }
		},
		products: [{ name: 'Box', quantity: 1, weight: 5 }]
	}));
	const { results } = await call(context, 'POST', '/v3/orders/import', { orders });
	ids = results.map((result) => result.orderCreated.OrderID);
	await until('all are planned', async () => {
		const { routes } = await readPlan(context);
		return ids.every((id) => routes.some(({ stops }) => stops.some(({ orderId }) => orderId === id)));
	});
	await close();
});

/** Opens the day, and waits until its board is drawn. */
async function openDay(query = '', options = {}) {
	const opened = await open('dispatcher', options);
	await visit(opened.page, `day/${date}${query}`);
	await opened.page.locator('[data-order]').first().waitFor();
	return opened;
}

const selection = (page) => page.getByRole('region', { name: 'Selection' });
const marks = (page) => page.locator('[data-order]');
const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

/** The driver of each order. */
async function driversOf(context) {
	const { routes } = await readPlan(context);
	return new Map(routes.flatMap((route) => route.stops.map((stop) => [stop.orderId, { ...route, locked: stop.locked }])));
}

test('stops at one place are one mark, which is divided by zooming in', async () => {
	const { page, context, close } = await openDay();
	const { routes } = await readPlan(context);
	const stops = routes.flatMap((route) => route.stops);
	const joined = stops.filter((stop) => stop.sameVisit).length;
	assert.ok(joined > 0, 'some orders are loaded together');
	const undivided = await marks(page).count();
	assert.equal(undivided, stops.length - joined);
	const several = page.locator('[data-order*=" "]').first();
	assert.match(await several.getAttribute('aria-label'), /stops in one visit/);
	assert.match(await several.getAttribute('data-short'), /×\d/);
	await several.click();
	const together = (await several.getAttribute('data-order')).split(' ');
	await selection(page).getByRole('heading', { name: `${together.length} orders selected` }).waitFor();
	assert.match(page.url(), new RegExp(`sel=o${together.join(',')}`));

	for (let zoom = 0; zoom < 3; zoom++) await page.getByRole('button', { name: 'Zoom in' }).first().click();
	await until('more stops have marks of their own', async () => (await marks(page).count()) > undivided);
	const texts = await marks(page).evaluateAll((all) => all.map((mark) => mark.dataset.short));
	assert.ok(texts.some((text) => /BOARD-\d · .+ · \d\d:\d\d–\d\d:\d\d · .+ to spare/.test(text)), texts.join(' | '));
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('what was driven stands below what is planned', async () => {
	const { page, context, close } = await open('dispatcher');
	const plan = await readPlan(context);
	const [route] = plan.routes;
	const [first] = route.stops;
	const after = (moment, minutes) => new Date(Date.parse(moment) + minutes * 60_000).toISOString();
	Object.assign(first, { arrivedAt: after(first.arrivesAt, 12), endedAt: after(first.leavesAt, 12), orderStatusId: 4 });
	await context.route(`**/v2/plans/${date}?*`, (answer) => answer.fulfill({ json: plan }));
	await page.clock.install({ time: after(first.leavesAt, 20) });
	await visit(page, `day/${date}`);
	const row = page.locator(`[role=row][data-driver="${route.driverId}"]`);
	await row.getByText('12 min behind').waitFor();
	await row.locator('svg.actual path').waitFor({ state: 'attached' });
	await page.getByText(/^Now \d\d:\d\d$/).waitFor();
	await page.getByText('Shapes and signs').click();
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('rows are sorted, grouped, filtered and compact, and free drivers share one', async () => {
	const { page, context, close } = await openDay();
	const { routes } = await readPlan(context);
	const { items } = await call(context, 'GET', `/v2/plans/${date}/drivers?pageSize=200`);
	const names = () => page.locator('[role=row][data-driver] [role=rowheader] b').allInnerTexts();
	const isFree = ({ driverId }) => !routes.some((route) => route.driverId === driverId);
	const free = items.filter(isFree).length;
	const button = page.getByRole('button', { name: free === 1 ? '1 driver is free' : `${free} drivers are free` });
	assert.equal((await names()).length, routes.length + 1);
	await button.click();
	await until('each has a row', async () => (await names()).length === routes.length + free + 1);
	await button.click();
	await until('they share one', async () => (await names()).length === routes.length + 1);

	const order = (by) => [...routes].sort((a, b) => Date.parse(by(a)) - Date.parse(by(b))).map((route) => by(route));
	for (const [name, by] of [['Start', (route) => route.startsAt], ['End', (route) => route.endsAt]]) {
		await page.getByLabel('Sort by').selectOption({ label: name });
		await until(`sorted by ${name}`, async () => {
			const shown = (await names()).slice(0, -1).map((who) => by(routes.find((route) => route.driverName === who)));
			return JSON.stringify(shown) === JSON.stringify(order(by));
		});
	}
	await page.getByLabel('Group by').selectOption({ label: 'Vehicle' });
	await page.locator('.section').filter({ hasText: /route/ }).first().waitFor();
	await page.getByLabel('Group by').selectOption({ label: 'Zone' });
	await page.getByRole('rowheader', { name: /^\S.* \d+ routes?$/ }).first().waitFor();
	await page.getByLabel('Compact').check();
	await page.locator('.board.compact').waitFor();
	assert.deepEqual(await hindrances(page), []);
	await page.getByRole('searchbox', { name: 'Driver, vehicle, order or place' }).fill('board-6');
	const of = routes.find((route) => route.stops.some((stop) => stop.externalId === 'BOARD-6'));
	await until('one row is left', async () => JSON.stringify(await names()) === JSON.stringify([of.driverName]));
	assert.match(page.url(), /sort=end&group=zone&compact=yes&find=board-6/);
	await close();
});

test('several orders are selected, locked, unlocked and rescheduled together', async () => {
	const { page, context, close } = await openDay('?zoom=8');
	const [one, two] = [ids[0], ids[3]];
	const markOf = (id) => page.locator(`[data-cell="${id}-DELIVERY"]`);
	await markOf(one).click();
	await selection(page).getByRole('heading', { name: `Order ${numbers[0]}` }).waitFor();
	await markOf(two).focus();
	await page.keyboard.press('Shift+Enter');
	const selected = selection(page);
	await selected.getByRole('heading', { name: '2 orders selected' }).waitFor();
	await markOf(two).click({ modifiers: ['Shift'] });
	await selected.getByRole('heading', { name: `Order ${numbers[0]}` }).waitFor();
	await markOf(two).click({ modifiers: ['Shift'] });
	await selected.getByRole('heading', { name: '2 orders selected' }).waitFor();
	assert.deepEqual(await hindrances(page), []);

	const are = (want) =>
		until(`both are ${want ? 'locked' : 'unlocked'}`, async () => {
			const drivers = await driversOf(context);
			return [one, two].every((id) => drivers.get(id)?.locked === want);
		});
	await selected.getByRole('button', { name: 'Lock', exact: true }).click();
	await page.getByText('2 orders are locked.').waitFor();
	await are(true);
	await page.locator('.toast').filter({ hasText: 'locked' }).getByRole('button', { name: 'Undo' }).click();
	await are(false);

	await selected.getByRole('button', { name: 'Another day…' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('New day').fill(another);
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByRole('button', { name: 'Reschedule' }).click();
	await page.getByText(/^2 orders are on /).waitFor();
	const daysOf = () => Promise.all([one, two].map(async (id) => (await call(context, 'GET', `/v1/orders/${id}?loads=OrderLocations`))));
	for (const order of await daysOf()) {
		assert.equal(order.date.slice(0, 10), another);
		assert.equal(order.order_locations.find(({ type }) => type === 'delivery').earliest.slice(0, 10), another);
	}
	await page.locator('.toast').filter({ hasText: 'orders are on' }).getByRole('button', { name: 'Undo' }).click();
	await until('they are back', async () => (await daysOf()).every((order) => order.date.slice(0, 10) === date));
	await until('they are planned again', async () => {
		const drivers = await driversOf(context);
		return [one, two].every((id) => drivers.has(id));
	});
	await close();
});

test('a selection is dragged to another driver, or moved by list', async () => {
	const { page, context, close } = await openDay('?zoom=8&free=yes');
	const drivers = await driversOf(context);
	const [one, two] = [ids[0], ids[3]];
	const { items } = await call(context, 'GET', `/v2/plans/${date}/drivers?pageSize=200`);
	const to = items.find(({ driverId, departmentId }) => departmentId === drivers.get(one).departmentId && ![one, two].some((id) => drivers.get(id).driverId === driverId));
	await visit(page, `day/${date}?zoom=8&free=yes&sel=o${one},${two}`);
	const mark = page.locator(`[data-cell="${one}-DELIVERY"]`);
	await mark.scrollIntoViewIfNeeded();
	const [a, b] = [await mark.boundingBox(), await page.locator(`[role=rowheader][data-cell="d${to.driverId}"]`).boundingBox()];
	await page.mouse.move(a.x + 6, a.y + 6);
	await page.mouse.down();
	await page.mouse.move(a.x + 30, a.y + 10, { steps: 3 });
	await page.locator('.ghost').getByText('2 orders').waitFor();
	await page.mouse.move(b.x + 20, b.y + 10, { steps: 6 });
	await page.mouse.up();
	const dialog = page.getByRole('dialog');
	await dialog.getByText(/^(Fits|Breaks)/).first().waitFor();
	await dialog.getByRole('heading', { name: new RegExp(`2 orders.*${to.driverName}`) }).waitFor();
	await dialog.getByRole('button', { name: 'Leave it' }).click();

	await selection(page).getByRole('button', { name: 'Move to…' }).click();
	await dialog.getByRole('heading', { name: /2 orders/ }).waitFor();
	await page.keyboard.press('Escape');
	await close();
});

/** Where a map shows a position that fits some others, as MapLibre does, 40 pixels from its edges. */
function spotOn(map, all, [latitude, longitude]) {
	const at = (lat, lng) => [lng / 360 + 0.5, 0.5 - Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI)];
	const points = all.map(([lat, lng]) => at(lat, lng));
	const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
	const [west, east, north, south] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
	const scale = Math.min((map.width - 80) / (east - west), (map.height - 80) / (south - north), 512 * 2 ** 14);
	const [x, y] = at(latitude, longitude);
	return [map.x + map.width / 2 + (x - (west + east) / 2) * scale, map.y + map.height / 2 + (y - (north + south) / 2) * scale];
}

test('the map starts where the work is, and selects by click, lasso and button', async () => {
	const { page, context, close } = await openDay('?view=both', { height: 1200 });
	const canvas = page.locator('.map canvas');
	await canvas.waitFor();
	await page.getByText('1 stop lies outside the map.').waitFor();
	await settled(page);
	const { routes } = await readPlan(context);
	const near = routes.flatMap((route) => route.stops).filter((stop) => stop.latitude < 60.5);
	const box = await canvas.boundingBox();
	const all = near.map((stop) => [stop.latitude, stop.longitude]);
	const [x, y] = spotOn(box, all, doors[3]);
	await page.mouse.click(x, y);
	await selection(page).getByRole('heading', { name: `Order ${numbers[3]}` }).waitFor();
	const wide = await canvas.boundingBox(); // the selection takes room
	await page.getByRole('button', { name: 'Close' }).first().click();
	assert.ok(wide.width < box.width);

	await page.getByRole('button', { name: 'Lasso' }).click();
	const edge = await canvas.boundingBox();
	await page.mouse.move(edge.x + 5, edge.y + 5);
	await page.mouse.down();
	for (const [right, down] of [[edge.width - 80, 5], [edge.width - 80, edge.height - 30], [5, edge.height - 30]]) {
		await page.mouse.move(edge.x + right, edge.y + down, { steps: 4 });
	}
	await page.mouse.up();
	await selection(page).getByRole('heading', { name: /^[67] orders selected$/ }).waitFor();
	await selection(page).getByRole('button', { name: 'Close' }).click();
	await page.getByRole('button', { name: 'Select the stops in view' }).click();
	await selection(page).getByRole('heading', { name: '7 orders selected' }).waitFor();
	await close();
});

test('the map shows some routes, and layers', async () => {
	const { page, context, close } = await openDay('?view=both&layers=unplanned,depots,zones', { width: 1024 });
	const { routes } = await readPlan(context);
	await page.getByText(`Routes: ${routes.length} of ${routes.length}`).click();
	const list = page.locator('details').filter({ hasText: 'Routes:' });
	await list.getByRole('checkbox', { name: routes[0].driverName }).uncheck();
	if (routes.length > 1) await page.getByText(`Routes: ${routes.length - 1} of ${routes.length}`).waitFor();
	assert.deepEqual(await hindrances(page), []);
	await page.getByRole('checkbox', { name: 'Zones' }).uncheck();
	await until('the layers are in the address', () => page.url().includes('layers=unplanned,depots') && !page.url().includes('zones'));
	assert.ok(await fits(page), 'nothing is wider than the window');
	await close();
});

test('board and map fit on a narrow screen, and are accessible', async () => {
	const { page, close } = await openDay(`?view=both&group=zone&compact=yes&sel=o${ids.slice(0, 3).join(',')}`, { width: 320, language: 'nb', theme: 'dark' });
	await page.getByRole('heading', { name: '3 ordrer valgt' }).waitFor();
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	assert.ok(await fits(page), 'nothing is wider than the window');
	await close();
});
