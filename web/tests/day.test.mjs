// The day as dispatchers use it: moves by mouse, keyboard and menu, locks,
// undo, and two users at once. It compares the page with the service's plan.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, until, visit } from './browser.mjs';
import { largeDay } from './large.mjs';

after(() => browser.close());

/** Opens the day, and waits until its board is drawn. */
async function openDay(query = '', options = {}) {
	const opened = await open('dispatcher', options);
	await visit(opened.page, `day/${day}${query}`);
	if (!query.includes('view=')) await opened.page.locator('[data-order]').first().waitFor();
	return opened;
}

test('a day opens with few requests', async () => {
	const { page, close } = await open('dispatcher');
	const requests = [];
	page.on('request', (request) => requests.push(request.url()));
	await visit(page, `day/${day}`);
	await page.locator('[data-order]').first().waitFor();
	await page.getByRole('list', { name: 'Key figures' }).waitFor();
	const files = requests.filter((url) => url.includes('/_app/immutable/'));
	assert.equal(new Set(files).size, files.length, 'no file is read twice');
	const first = new Set(requests.map((url) => new URL(url).pathname)); // what others change meanwhile is read again
	assert.ok(first.size <= 25, [...first].join('\n')); // 96 without the groups of vite.config.js, and with each count apart
	await close();
});

/** The rows of the board as the page shows them: all their orders, and those that have a mark of their own. */
const board = (page) =>
	page.evaluate(() =>
		[...document.querySelectorAll('[role=row][data-driver]')].map((row) => {
			const marks = [...row.querySelectorAll('[data-order]')].map((mark) => mark.dataset.order.split(' ').map(Number));
			return {
				id: Number(row.dataset.driver),
				name: row.querySelector('[role=rowheader] b').textContent.trim(),
				all: marks.flat(),
				orders: marks.filter((orders) => orders.length === 1).flat()
			};
		})
	);

/** The driver of each order in the service's plan. */
async function plan(context) {
	const answer = await context.request.get(`/v2/plans/${day}?pageSize=200`);
	assert.ok(answer.ok(), await answer.text());
	const { routes } = await answer.json();
	return new Map(routes.flatMap((route) => route.stops.map((stop) => [stop.orderId, { ...route, locked: stop.locked }])));
}

const rowOf = async (page, order) => (await board(page)).find((row) => row.all.includes(order))?.id;

/** An unlocked order, its driver, and another driver of the same department. */
async function movable(opened) {
	const planned = await plan(opened.context);
	const rows = await board(opened.page);
	for (const from of rows) {
		const order = from.orders.find((id) => planned.get(id) && !planned.get(id).locked);
		const department = planned.get(order)?.departmentId;
		const to = rows.find((row) => row.id !== from.id && row.orders.some((id) => planned.get(id)?.departmentId === department));
		if (order && to) return { order, from, to };
	}
	throw new Error(`nobody can be given anything: ${JSON.stringify(rows)}`);
}

/** Confirms the move in the dialog, with a reason if it violates something. */
async function confirm(page) {
	const dialog = page.getByRole('dialog');
	await dialog.getByText(/^(Fits|Breaks)/).waitFor();
	const reason = dialog.getByLabel('Reason');
	if (await reason.isVisible()) await reason.fill('The customer has agreed.');
	await dialog.getByRole('button', { name: 'Move', exact: true }).click();
	await dialog.waitFor({ state: 'hidden' });
}

async function drag(page, order, driver) {
	const stop = page.locator(`[data-order="${order}"]`).first();
	await stop.scrollIntoViewIfNeeded();
	const [a, b] = [await stop.boundingBox(), await page.locator(`[role=rowheader][data-cell="d${driver}"]`).boundingBox()];
	await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
	await page.mouse.down();
	await page.mouse.move(a.x + a.width / 2 + 12, a.y + a.height / 2, { steps: 3 });
	await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 8 });
	await page.mouse.up();
}

test('an order is moved by mouse after a preview, and the move is undone', async () => {
	const opened = await openDay();
	const { page, context, close } = opened;
	const { order, from, to } = await movable(opened);
	await drag(page, order, to.id);
	await page.getByRole('dialog').getByText(/^(Fits|Breaks)/).waitFor();
	assert.equal((await plan(context)).get(order).driverId, from.id, 'nothing has moved by a look');
	assert.equal(await rowOf(page, order), from.id, 'nothing is drawn that has not happened');
	await confirm(page);
	await until('the other driver has the order', async () => (await rowOf(page, order)) === to.id);
	const moved = (await plan(context)).get(order);
	assert.deepEqual([moved.driverId, moved.locked], [to.id, true]);

	await page.getByRole('button', { name: 'Undo' }).first().click();
	await page.getByText(/ moved back\./).waitFor();
	await until('it is unlocked', async () => (await plan(context)).get(order)?.locked === false);
	await close();
});

test('Escape cancels a drag without a request', async () => {
	const opened = await openDay();
	const { page, close } = opened;
	const { order, to } = await movable(opened);
	const asked = [];
	page.on('request', (request) => request.url().endsWith('/moves') && asked.push(request.url()));
	const stop = await page.locator(`[data-order="${order}"]`).first().boundingBox();
	const row = await page.locator(`[role=rowheader][data-cell="d${to.id}"]`).boundingBox();
	await page.mouse.move(stop.x + 5, stop.y + 5);
	await page.mouse.down();
	await page.mouse.move(row.x + 20, row.y + 20, { steps: 5 });
	await page.keyboard.press('Escape');
	await page.mouse.up();
	assert.equal(await page.getByRole('dialog').count(), 0);
	assert.deepEqual(asked, []);
	await close();
});

test('an order is moved by keyboard, and the effect is announced first', async () => {
	const opened = await openDay();
	const { page, context, close } = opened;
	const { order, from, to } = await movable(opened);
	const rows = await board(page);
	await page.locator('[role=rowheader][tabindex="0"]').focus();
	for (let n = rows.findIndex((row) => row.id === from.id); n > 0; n--) await page.keyboard.press('ArrowDown');
	const focused = () => page.evaluate(() => Number(document.activeElement.dataset.order ?? 0));
	while ((await focused()) !== order) await page.keyboard.press('ArrowRight');
	await page.keyboard.press('Space');
	const said = page.locator('p[aria-live=assertive]');
	await page.waitForFunction(() => / picked up\./.test(document.querySelector('p[aria-live=assertive]').textContent));
	const inPlan = rows.filter((row) => row.id === from.id || row.orders.length);
	const step = inPlan.findIndex((row) => row.id === to.id) > inPlan.findIndex((row) => row.id === from.id) ? 'ArrowDown' : 'ArrowUp';
	const target = () => page.evaluate(() => Number(document.querySelector('.lane.target')?.dataset.driver ?? 0));
	while ((await target()) !== to.id) await page.keyboard.press(step);
	await until('the verdict is said', async () => / driving\. (Fits|Breaks)/.test(await said.textContent()));
	await page.keyboard.press('Enter');
	await confirm(page);
	await until('the other driver has the order', async () => (await rowOf(page, order)) === to.id);
	assert.equal((await plan(context)).get(order).driverId, to.id);
	await page.getByText(/ moved to .+\./).waitFor();
	await page.keyboard.press('u');
	await page.getByText(/ moved back\./).waitFor();
	await close();
});

test('an order is moved by menu, locked and unlocked', async () => {
	const opened = await openDay();
	const { page, context, close } = opened;
	const { order, to } = await movable(opened);
	await page.locator(`[data-order="${order}"]`).first().click();
	const inspector = page.getByRole('region', { name: 'Selection' });
	await inspector.getByRole('button', { name: 'Lock', exact: true }).click();
	await until('it is locked', async () => (await plan(context)).get(order)?.locked);
	await inspector.getByRole('button', { name: 'Unlock' }).click();
	await until('it is unlocked', async () => (await plan(context)).get(order)?.locked === false);

	await inspector.getByRole('button', { name: 'Move to…' }).click();
	await page.getByRole('searchbox', { name: 'Find a driver' }).fill(to.name);
	await page.getByRole('dialog').getByRole('button', { name: to.name }).click();
	await confirm(page);
	await until('the other driver has the order', async () => (await rowOf(page, order)) === to.id);
	await close();
});

test('two dispatchers on one day see each other’s changes, and nothing else', async () => {
	const [one, other] = [await openDay(), await openDay()];
	const { order, from, to } = await movable(one);
	await drag(one.page, order, to.id);
	await one.page.getByRole('dialog').getByText(/^(Fits|Breaks)/).waitFor();
	assert.equal(await rowOf(other.page, order), from.id);
	await confirm(one.page);
	await until('the other sees it', async () => (await rowOf(other.page, order)) === to.id);
	await one.close();
	await other.close();
});

test('a late move is refused with a reason, and the board is reloaded', async () => {
	const [one, other] = [await openDay(), await openDay()];
	const { order, to } = await movable(one);
	// The other user's page is not updated until it moves something itself.
	let deaf = true;
	await other.page.route('**/v2/plans/*', (route) => (deaf ? route.abort() : route.continue()));
	await drag(one.page, order, to.id);
	await confirm(one.page);
	await until('it is moved', async () => (await plan(one.context)).get(order)?.driverId === to.id);
	const late = await other.page.evaluate(
		(moved) => [...document.querySelectorAll('[data-order]')].map((stop) => Number(stop.dataset.order)).find((id) => id && id !== moved),
		order
	);
	await other.page.evaluate((id) => document.querySelector(`[data-order="${id}"]`).scrollIntoView(), late);
	deaf = false;
	const answers = [];
	other.page.on('response', (answer) => answer.url().endsWith('/moves') && answers.push(answer.status()));
	await other.page.locator(`[data-order="${late}"]`).first().click({ button: 'right' });
	await other.page.getByRole('dialog').getByRole('listitem').first().getByRole('button').click();
	await until('it is refused or asked of the plan that is there', () => answers.length > 0);
	if (answers[0] === 409) await other.page.getByRole('dialog').getByRole('alert').waitFor();
	await until('the board is read anew', async () => (await rowOf(other.page, order)) === to.id);
	await one.close();
	await other.close();
});

test('a request for an outdated plan is refused with a reason, and the plan is reloaded', async () => {
	const opened = await openDay();
	const { page, context, close } = opened;
	const { order, to } = await movable(opened);
	const { plans, routes } = await call(context, 'GET', `/v2/plans/${day}?pageSize=200`);
	const { departmentId } = routes.find((route) => route.driverId === to.id);
	// The page is not updated after another user's change until it requests
	// something itself.
	const read = [];
	const asks = new Promise((asked) => page.on('request', (request) => request.url().endsWith('/moves') && asked()));
	await page.route('**/v2/plans/*', async (route) => {
		await asks;
		read.push(route.request().url());
		await route.continue();
	});
	const { version } = plans.find((one) => one.departmentId === departmentId);
	await call(context, 'POST', `/v2/plans/${day}/moves`, {
		version, departmentId, dryRun: false, reason: 'The customer has agreed.', moves: [{ orderId: order, driverId: to.id }]
	});
	const [answer] = await Promise.all([
		page.waitForResponse((one) => one.request().method() === 'POST' && one.url().endsWith('/moves')),
		drag(page, order, to.id)
	]);
	assert.equal(answer.status(), 409);
	const said = await page.getByRole('dialog').getByRole('alert').innerText();
	assert.ok(said.includes((await answer.json()).message), said);
	await until('the plan is read anew', () => read.length > 0);
	await until('the board is that of the plan', async () => (await rowOf(page, order)) === to.id);
	await close();
});

test('dialogs are accessible', async () => {
	const opened = await openDay();
	const { page, close } = opened;
	const { order } = await movable(opened);
	await page.locator(`[data-order="${order}"]`).first().click({ button: 'right' });
	await page.getByRole('dialog').waitFor();
	assert.deepEqual(await hindrances(page), []);
	await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').click();
	await page.getByRole('dialog').getByText(/^(Fits|Breaks)/).waitFor();
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('the route of one driver is printed', async () => {
	const { page, close } = await openDay();
	const [first] = (await board(page)).filter((row) => row.orders.length);
	await page.evaluate(() => (globalThis.print = () => (globalThis.printed = true)));
	await page.locator(`[data-cell="d${first.id}"]`).click();
	await page.getByRole('button', { name: 'Print the route' }).click();
	await page.waitForFunction(() => globalThis.printed);
	await page.emulateMedia({ media: 'print' });
	assert.deepEqual(await page.locator('main section:visible h2').allTextContents().then((all) => all.length), 1);
	assert.ok(await page.getByRole('heading', { name: first.name }).first().isVisible());
	await close();
});

// Test machines are slow and shared, so the bound is loose; bench/README.md has
// the time of a quiet one.
test('a day with a thousand orders renders quickly, and a drag redraws little', async (t) => {
	const { page, context, close } = await open('dispatcher');
	const large = largeDay(day, { orders: 1000, drivers: 40 });
	await context.route(`**/v2/plans/${day}?*`, (route) => route.fulfill({ json: large.plan }));
	await context.route(`**/v2/plans/${day}/drivers?*`, (route) => route.fulfill({ json: large.drivers }));
	await page.addInitScript(() => {
		const look = () => {
			const drawn = document.querySelectorAll('[data-order]').length;
			if (drawn) globalThis.firstDrawn ??= performance.now();
			if (drawn === 2000) globalThis.allDrawn ??= performance.now();
			else requestAnimationFrame(look);
		};
		requestAnimationFrame(look);
	});
	await visit(page, `day/${day}`);
	await page.waitForFunction(() => globalThis.allDrawn);
	const took = await page.evaluate(() => {
		const answers = performance.getEntriesByType('resource').filter(({ name }) => /\/v2\/plans\/[^/?]+\?/.test(name));
		const there = answers[0].responseEnd;
		const nodes = document.querySelectorAll('*').length;
		return { first: globalThis.firstDrawn - there, all: globalThis.allDrawn - there, nodes };
	});
	t.diagnostic(`drawn ${Math.round(took.first)} ms after its data, all of it after ${Math.round(took.all)} ms, ${took.nodes} elements`);
	assert.ok(took.first < 5000, `the first rows were drawn ${took.first} ms after their data`);
	assert.ok(took.nodes < 5000, `${took.nodes} elements are drawn`);

	const changes = await page.evaluate(() => {
		globalThis.changed = 0;
		new MutationObserver((all) => (globalThis.changed += all.length)).observe(document.querySelector('[role=grid]'), {
			subtree: true, attributes: true, childList: true
		});
		return 0;
	});
	assert.equal(changes, 0);
	const stop = await page.locator('[data-order]').first().boundingBox();
	await page.mouse.move(stop.x + 5, stop.y + 5);
	await page.mouse.down();
	await page.mouse.move(stop.x + 40, stop.y + 200, { steps: 40 });
	const changed = await page.evaluate(() => globalThis.changed);
	await page.keyboard.press('Escape');
	await page.mouse.up();
	t.diagnostic(`${changed} changes of the board by a drag over 4 rows`);
	assert.ok(changed < 60, `a drag changed the board ${changed} times`);
	await close();
});

test('unsent messages for the orders of a day are counted and linked', async () => {
	const { page, context, close } = await open('dispatcher');
	const lost = { isRetried: false, page: 1, perPage: 100 };
	const emails = { ...lost, statuses: ['failed', 'bounced', 'spam'] };
	const texts = { ...lost, statuses: ['failed'] };
	const counted = async (more) => [
		(await call(context, 'POST', '/v1/notifications-log/emails', { ...emails, ...more })).totalRecords,
		(await call(context, 'POST', '/v1/notifications-log/sms', { ...texts, ...more })).totalRecords
	];
	const all = [
		...(await call(context, 'POST', '/v1/notifications-log/sms', texts)).smsLogs,
		...(await call(context, 'POST', '/v1/notifications-log/emails', emails)).emailLogs
	];
	const { orderId, toNumber, toAddress } = all.find((message) => message.orderId > 0);
	const { date } = await call(context, 'GET', `/v1/orders/${orderId}`);
	const orderDate = date.slice(0, 10);
	let byEmail, byText;
	const item = page.getByRole('link', { name: /^Not sent \d+$/ });
	await until('as many are shown as there are', async () => {
		await visit(page, `day/${orderDate}`);
		[byEmail, byText] = await counted({ orderDate }); // another may fail meanwhile
		return (await item.innerText()).replace(/\s+/g, ' ').trim() === `Not sent ${byEmail + byText}`;
	});
	await item.click();
	await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
	assert.equal(await page.getByLabel('Status').inputValue(), 'unsent');
	const written = orderDate.split('-').reverse().join('/');
	await until('the day is chosen', async () => (await page.getByLabel('Day of the order').inputValue()).endsWith(written));
	const either = page.getByRole('link', { name: /(text message|email)s? as well/ });
	if (byEmail && byText && toNumber) await either.click();
	await page.locator('[data-row]').filter({ hasText: toNumber ?? toAddress }).first().waitFor();
	assert.equal(await page.locator('[data-row]').count(), toNumber ? byText : byEmail);

	await visit(page, 'day/2031-01-01');
	await page.getByRole('link', { name: 'Not sent 0', exact: true }).waitFor();
	await close();
});

test('orders moved to a driver together show the result for each, before and after', async () => {
	const { page, context, close } = await open('dispatcher');
	const at = (time) => `${day}T${time}:00Z`;
	const address = { address1: 'Thorvald Meyers gate 40', postalCode: '0555', city: 'Oslo', country: 'NO' };
	const orders = ['SEVERAL-1', 'SEVERAL-2', 'SEVERAL-3'].map((externalId) => ({
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

	// One of them can't be moved, so neither can all of them together.
	await page.route('**/v2/plans/*/moves', (route) => {
		const { moves } = route.request().postDataJSON();
		if (!moves.some(({ orderId }) => orderId === ids[2])) return route.continue();
		const json = { code: 9, message: 'It has been begun with.', details: [] };
		return route.fulfill({ status: 409, json });
	});
	await page.getByRole('button', { name: 'Move 3 orders to…' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('button', { name: 'Amir Haddad' }).click();
	const of = (number) => dialog.getByRole('listitem').filter({ hasText: number });
	await of('SEVERAL-3').getByText('Not done').waitFor();
	await of('SEVERAL-3').getByText(/begun/).waitFor();
	for (const number of ['SEVERAL-1', 'SEVERAL-2']) await of(number).getByText(/vehicle of another type/).waitFor();
	const planned = (id) => plan(context).then((routes) => routes.get(id)?.driverId);
	assert.deepEqual(await Promise.all(ids.map(planned)), [undefined, undefined, undefined], 'nothing has moved by a look');
	await dialog.getByLabel('Reason').fill('The customer has agreed.');
	await dialog.getByRole('button', { name: 'Move the other 2' }).click();
	for (const number of ['SEVERAL-1', 'SEVERAL-2']) await of(number).getByText(/Pickup .*Delivery/).waitFor();
	await of('SEVERAL-3').getByText('Not done').waitFor();
	const [first, second, third] = await Promise.all(ids.map(planned));
	assert.ok(first);
	assert.deepEqual([second, third], [first, undefined]);
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByRole('button', { name: 'Close' }).last().click();
	await dialog.waitFor({ state: 'hidden' });
	await close();
});
