// Messages between the office and the drivers of a day.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { ahead, browser, call, hindrances, open, service, settled, until, visit } from './browser.mjs';

after(() => browser.close());

// A day without orders of other tests, whose lists would be in the way.
const date = ahead(5);

const messagesOf = (context) => call(context, 'GET', `/v2/plans/${date}/messages`);

/** Connects a phone of a driver, and returns how it writes to the office. */
async function phoneOf(context, driverId) {
	const { code } = await call(context, 'POST', `/v1/drivers/${driverId}/enrolments`);
	const phone = await browser.newContext({ baseURL: service });
	await call(phone, 'POST', '/v1/driver/enrolment', { code });
	return {
		write: (text) => {
			const now = new Date().toISOString();
			return call(phone, 'POST', '/v1/driver/messages', { id: randomUUID(), date, text, occurredAt: now, sentAt: now });
		},
		read: () => call(phone, 'GET', '/v1/driver/messages'),
		close: () => phone.close()
	};
}

test('a dispatcher and a driver write to each other, and see what is unread', async () => {
	const { page, context, close } = await open('dispatcher');
	const { items } = await call(context, 'GET', `/v2/plans/${date}/drivers`);
	const { driverId, driverName } = items[0];
	const phone = await phoneOf(context, driverId);
	await visit(page, `day/${date}?free=yes`);
	const strip = page.getByRole('button', { name: /^Messages with drivers/ });
	await page.getByRole('button', { name: /^Messages with drivers\s*0$/ }).waitFor();
	await phone.write('The ferry is late.');
	await page.getByRole('button', { name: /^Messages with drivers\s*1$/ }).waitFor();
	const row = page.locator(`[data-driver="${driverId}"] [role=rowheader]`);
	await row.getByTitle('1 unread').waitFor();

	await strip.click();
	const panel = page.getByRole('region', { name: 'Messages with drivers' });
	await panel.getByText('The ferry is late.').waitFor();
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	await panel.getByRole('button', { name: `From ${driverName}` }).click();
	await page.waitForURL(/chat=open/);
	const thread = page.getByRole('list', { name: 'Messages' });
	await thread.getByText('The ferry is late.').waitFor();
	await page.getByRole('button', { name: /^Messages with drivers\s*0$/ }).waitFor();
	await until('the driver sees that it was read', async () => (await phone.read()).items[0].readAt !== null);

	await page.getByRole('button', { name: 'Please call the office.' }).click();
	await page.getByRole('textbox', { name: 'Message' }).press('Enter');
	await thread.getByText('Please call the office.').waitFor();
	await thread.getByText('not read yet').waitFor();
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	const own = await phone.read();
	assert.deepEqual(own.items.map(({ from, text }) => `${from} ${text}`), ['OFFICE Please call the office.', 'DRIVER The ferry is late.']);
	assert.equal(own.unread, 1);
	await phone.close();
	await close();
});

test('several drivers get the same message at once', async () => {
	const { page, context, close } = await open('dispatcher', { width: 320, language: 'nb' });
	const { items } = await call(context, 'GET', `/v2/plans/${date}/drivers`);
	await visit(page, `day/${date}?messages=open`);
	const panel = page.getByRole('region', { name: 'Meldinger med sjåfører' });
	await panel.getByText('Skriv til flere sjåfører').click();
	const boxes = panel.getByRole('checkbox');
	await boxes.nth(1).check();
	await boxes.nth(2).check();
	await panel.getByRole('textbox', { name: 'Melding' }).fill('Broen er stengt, kjør E18.');
	await settled(page);
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
	assert.deepEqual(await hindrances(page), []);
	await panel.getByRole('button', { name: 'Send' }).click();
	await panel.getByText('Broen er stengt, kjør E18.').nth(1).waitFor();
	const sent = (await messagesOf(context)).items.filter(({ text }) => text === 'Broen er stengt, kjør E18.');
	assert.equal(new Set(sent.map(({ driverId }) => driverId)).size, 2);
	assert.ok(sent.every(({ driverId }) => items.some((one) => one.driverId === driverId)));
	await close();
});

test('a message about orders goes to the drivers who have them, and names each order', async () => {
	const { page, context, close } = await open('dispatcher');
	const address = { address1: 'Maridalsveien 90', postalCode: '0461', city: 'Oslo', country: 'NO' };
	const numbers = ['CHAT-ORDER-1', 'CHAT-ORDER-2'];
	const { results } = await call(context, 'POST', '/v3/orders/import', {
		orders: numbers.map((externalId) => ({
			externalId, date, customer: { externalId: 'C-100' }, orderType: { name: 'Standard' }, vehicleType: { name: 'Van' },
			pickup: { externalId: 'T-OSL' }, delivery: { name: 'Oda', address }, products: [{ name: 'Box', quantity: 1, weight: 5 }]
		}))
	});
	const ids = results.map((result) => result.orderCreated.OrderID);
	const routeOf = async (id) => (await call(context, 'GET', `/v2/plans/${date}?pageSize=200`)).routes.find(({ stops }) => stops.some(({ orderId }) => orderId === id));
	await until('both are planned', async () => (await routeOf(ids[0])) && (await routeOf(ids[1])));
	await visit(page, `day/${date}?sel=o${ids.join(',')}`);
	const chosen = page.getByRole('region', { name: 'Selection' });
	await chosen.getByRole('button', { name: 'Message…' }).click();
	const dialog = page.getByRole('dialog', { name: 'Message about CHAT-ORDER-1, CHAT-ORDER-2' });
	await dialog.getByText(`To ${(await routeOf(ids[0])).driverName}`).waitFor();
	await dialog.getByRole('textbox', { name: 'Message' }).fill('Ring the bell twice.');
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByRole('button', { name: 'Send' }).click();
	await dialog.waitFor({ state: 'hidden' });
	await page.getByText(/^Message sent to /).waitFor();
	const sent = (await messagesOf(context)).items.filter(({ text }) => text === 'Ring the bell twice.');
	assert.deepEqual(sent.map(({ externalId }) => externalId).sort(), numbers);
	for (const { orderId, driverId } of sent) assert.equal(driverId, (await routeOf(orderId)).driverId);

	// One of the orders, on its own page, at the width of a phone.
	await page.setViewportSize({ width: 320, height: 800 });
	await visit(page, `orders/${ids[0]}`);
	await page.getByRole('button', { name: 'Message…' }).click();
	const alone = page.getByRole('dialog', { name: 'Message about CHAT-ORDER-1' });
	await alone.getByRole('button', { name: 'Please call the office.' }).click();
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
	await alone.getByRole('textbox', { name: 'Message' }).press('Enter');
	await alone.waitFor({ state: 'hidden' });
	const { driverId } = await routeOf(ids[0]);
	const last = (await call(context, 'GET', `/v2/plans/${date}/messages?driverId=${driverId}`)).items[0];
	assert.deepEqual([last.text, last.externalId], ['Please call the office.', 'CHAT-ORDER-1']);

	await page.setViewportSize({ width: 1440, height: 900 });
	await visit(page, `day/${date}?sel=d${driverId}&chat=open`);
	await page.getByRole('list', { name: 'Messages' }).getByRole('link', { name: 'CHAT-ORDER-1' }).last().waitFor();
	await close();
});
