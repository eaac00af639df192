import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, day, hindrances, open, organization, people, service, visit } from './browser.mjs';

after(() => browser.close());

const api = async (context, method, path, data) => {
	const answer = await context.request.fetch(path, { method, data });
	assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`);
	return answer.status() === 204 ? undefined : answer.json();
};

/** The pages of each role, as tests of all of them visit them. */
const pagesOf = {
	dispatcher: [`day/${day}`, `day/${day}?view=list`, `day/${day}?view=map`, 'orders', 'orders?status=cancelled', 'orders/FIRST', 'recurring', 'exports'],
	support: ['messages', 'messages?channel=sms', 'drafts', 'activity'],
	admin: ['settings/keys', 'settings/people', 'settings/roles', 'data', 'drivers', 'account']
};

async function firstOrder(context) {
	const orders = await api(context, 'POST', '/v1/orders/paginated', { order_status_ids: [2], limit: 1, sort_by: 'order_id' });
	return orders.items[0].order_id;
}

test('who is not signed in signs in, and comes back to the page that was asked for', async () => {
	const { page, close } = await open();
	await page.goto('/console/orders?status=planned');
	await page.waitForURL('**/sign-in');
	await page.fill('#organization', organization);
	await page.fill('#email', people.dispatcher.email);
	await page.fill('#passphrase', people.dispatcher.passphrase);
	await page.keyboard.press('Enter');
	await page.waitForURL('**/console/orders?status=planned');
	await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
	await page.getByRole('button', { name: /account, language/ }).click();
	await page.getByRole('button', { name: 'Sign out' }).click();
	await page.waitForURL('**/sign-in');
	await close();
});

for (const language of ['en', 'nb', 'da']) {
	for (const theme of ['light', 'dark']) {
		test(`nothing on any page hinders anybody, in ${language} and ${theme}`, async () => {
			for (const [role, paths] of Object.entries(pagesOf)) {
				const { page, context, close } = await open(role, { language, theme });
				const order = await firstOrder(context);
				for (const path of paths) {
					await visit(page, path.replace('FIRST', order));
					assert.deepEqual(await hindrances(page), [], `${path} as ${role}`);
				}
				await close();
			}
		});
	}
}

test('every page fits on a narrow screen', async () => {
	for (const [role, paths] of Object.entries(pagesOf)) {
		const { page, context, close } = await open(role, { width: 320, height: 700, language: 'nb' });
		const order = await firstOrder(context);
		for (const path of paths) {
			await visit(page, path.replace('FIRST', order));
			const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			assert.ok(over <= 0, `${path} is ${over} pixels too wide`);
		}
		await close();
	}
});

test('orders are filtered, the address keeps the filter, and an order tells its story', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders');
	await page.getByLabel('Cancelled').check();
	await page.waitForURL('**/orders?status=cancelled');
	await page.getByText('No orders here').waitFor();
	await page.getByRole('button', { name: 'Show all' }).click();
	await page.getByRole('row').nth(1).getByRole('link').click();
	await page.getByRole('heading', { name: 'What happened' }).waitFor();
	await page.getByText('Created').first().waitFor();
	await close();
});

test('what somebody else does is seen as it happens', async () => {
	const { page, context, close } = await open('dispatcher');
	const orders = await api(context, 'POST', '/v1/orders/paginated', { order_status_ids: [1, 2], limit: 1, sort_by: '-order_id' });
	const { order_id: id, internal_order_number: number } = orders.items[0];
	await visit(page, `orders/${id}`);
	await page.getByText('live', { exact: true }).waitFor();
	await api(context, 'POST', '/v2/orders/cancel-orders', { externalIds: [number] });
	await page.getByText('Cancelled').first().waitFor();
	await api(context, 'POST', `/v2/orders/replan-cancelled?externalId=${number}`);
	await page.getByRole('button', { name: 'Cancel the order' }).waitFor();
	await close();
});

/** The rows of the board with their stops, as the page shows them. */
const board = (page) =>
	page.evaluate(() =>
		[...document.querySelectorAll('[role=grid] [data-driver]')].map((row) => ({
			id: row.dataset.driver,
			driver: row.querySelector('[role=rowheader] b').textContent.trim(),
			orders: [...row.querySelectorAll('[data-order]')].map((stop) => stop.dataset.order)
		}))
	);

const driverOf = async (page, order) => (await board(page)).find((row) => row.orders.includes(order))?.driver;

/** Opens the board of one department, where each driver can get what another has, and chooses two of them. */
async function twoDrivers(page, context) {
	const { plans } = await api(context, 'GET', `/v2/plans/${day}`);
	const largest = plans.reduce((best, plan) => (plan.orders > best.orders ? plan : best));
	await visit(page, `day/${day}?dept=${largest.departmentId ?? 0}`);
	await page.locator('[data-order]').first().waitFor();
	const rows = await board(page);
	const from = rows.find((row) => row.orders.length);
	const place = rows.indexOf(from);
	return [from, rows[place + 1] ?? rows[place - 1]];
}

async function until(what, holds) {
	for (const end = Date.now() + 60_000; !(await holds()); ) {
		assert.ok(Date.now() < end, what);
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}

/** Confirms the move that the dialog asks about, with a reason when it breaks something. */
async function confirm(page) {
	const dialog = page.getByRole('dialog');
	await dialog.getByText(/Fits|Breaks/).waitFor();
	const reason = dialog.getByLabel('Why all the same?');
	if (await reason.isVisible()) await reason.fill('The customer has agreed.');
	await dialog.getByRole('button', { name: 'Move', exact: true }).click();
	await dialog.waitFor({ state: 'hidden' });
}

test('an order is moved by mouse, after a look at what it costs, and the move is undone', async () => {
	const { page, context, close } = await open('dispatcher');
	const [from, to] = await twoDrivers(page, context);
	const order = from.orders[0];
	const a = await page.locator(`[data-order="${order}"]`).first().boundingBox();
	const b = await page.locator(`[role=grid] [data-driver="${to.id}"]`).boundingBox();
	await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
	await page.mouse.down();
	await page.mouse.move(a.x + 20, a.y + 20, { steps: 3 });
	await page.mouse.move(b.x + 300, b.y + b.height / 2, { steps: 5 });
	await page.mouse.up();
	await confirm(page);
	await until('the other driver has the order', async () => (await driverOf(page, order)) === to.driver);
	await page.getByRole('button', { name: 'Undo' }).click();
	await page.getByText(/is back where it was/).waitFor();
	await close();
});

test('an order is moved by keys alone', async () => {
	const { page, context, close } = await open('dispatcher');
	const [from] = await twoDrivers(page, context);
	const order = from.orders.at(-1);
	await page.locator(`[role=grid] [data-driver="${from.id}"] [role=rowheader]`).focus();
	await page.keyboard.press('End');
	assert.equal(await page.evaluate(() => document.activeElement.dataset.order), order);
	await page.keyboard.press('Space');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	await confirm(page);
	await until('another driver has the order', async () => {
		const driver = await driverOf(page, order);
		return driver !== undefined && driver !== from.driver;
	});
	await close();
});

test('of two dispatchers on one day, neither sees a move that did not happen', async () => {
	const [one, other] = [await open('dispatcher'), await open('dispatcher')];
	await twoDrivers(other.page, other.context);
	const [from, to] = await twoDrivers(one.page, one.context);
	const order = from.orders[0];
	await one.page.locator(`[data-order="${order}"]`).first().click();
	await one.page.getByRole('button', { name: 'Move to…' }).last().click();
	await one.page.getByRole('dialog').getByRole('button', { name: to.driver }).click();
	await confirm(one.page);
	await until('the other sees it as well', async () => (await driverOf(other.page, order)) === to.driver);
	await one.close();
	await other.close();
});

test('somebody of the support reads what became of a message, and sends one that failed again', async () => {
	const { page, close } = await open('support');
	await visit(page, 'messages?channel=sms');
	await page.locator('[data-row]').first().click();
	await page.getByRole('dialog').getByText('Queued').first().waitFor();
	await page.keyboard.press('Escape');
	const failed = page.getByRole('row').filter({ hasText: 'Failed' }).first();
	await failed.getByRole('checkbox').check();
	await page.getByRole('button', { name: 'Send 1 again' }).click();
	await page.getByRole('dialog').getByText('1 of 1').waitFor();
	await page.getByRole('dialog').getByText(/On its way|Not sent/).waitFor();
	await close();
});

test('an administrator makes a key, which is shown once, and revokes it', async () => {
	const { page, close } = await open('admin');
	await visit(page, 'settings/keys');
	await page.getByRole('button', { name: 'Make a key' }).first().click();
	const dialog = page.getByRole('dialog');
	await dialog.locator('#key-name').fill('A till');
	await dialog.getByRole('button', { name: 'Make a key' }).click();
	const key = await dialog.locator('pre code').textContent();
	const answer = await fetch(`${service}/v1/orders/count`, { headers: { Authorization: `apikey ${key}` } });
	assert.equal(answer.status, 200);
	await dialog.getByRole('button', { name: 'I have kept it' }).click();
	const row = page.getByRole('row').filter({ hasText: 'A till' });
	await row.getByRole('button', { name: 'Revoke' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
	await row.getByText('Revoked').waitFor();
	await close();
});

test('no file of the console comes from elsewhere, and its answers are compressed', async () => {
	const { page, close } = await open('dispatcher');
	const encodings = new Set();
	page.on('response', (response) => {
		assert.ok(response.url().startsWith(service));
		if (response.url().endsWith('.js')) encodings.add(response.headers()['content-encoding']);
	});
	await visit(page, 'orders');
	assert.ok([...encodings].every((one) => one === 'br' || one === 'gzip'), [...encodings].join());
	await close();
});
