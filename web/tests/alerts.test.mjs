// The key figures of a day, and its alerts. Those are of a day of their own.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ahead, browser, call, day, hindrances, open, settled, until, visit } from './browser.mjs';

after(() => browser.close());

const alertDay = ahead(4);

/** Imports an order whose delivery must be over before any driver begins. */
async function tooEarly(context, number) {
	const at = (time) => `${alertDay}T${time}:00Z`;
	const { results } = await call(context, 'POST', '/v3/orders/import', {
		orders: [{
			externalId: number,
			date: alertDay,
			customer: { externalId: 'C-100' },
			orderType: { name: 'Standard' },
			vehicleType: { name: 'Van' },
			pickup: { externalId: 'T-OSL', earliest: at('01:00'), latest: at('20:00') },
			delivery: {
				name: 'Butikk', earliest: at('01:30'), latest: at('02:00'),
				address: { address1: 'Mosseveien 1', postalCode: '0192', city: 'Oslo', country: 'NO' }
			},
			products: [{ name: 'Box', quantity: 1, weight: 5 }]
		}]
	});
	return results[0].orderCreated.OrderID;
}

test('key figures stand against the plan, and each leads to what it counts', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, `day/${day}`);
	const figures = page.getByRole('list', { name: 'Key figures' });
	const link = (name) => figures.getByRole('link', { name });
	await until('the page shows what the service counts', async () => {
		const { orders, meters } = await call(context, 'GET', `/v2/plans/${day}/figures`);
		const done = `Done ${orders.done} of ${orders.total} plan: ${orders.dueByPlan}`;
		const driven = `of ${Math.round(meters.planned / 1000).toLocaleString('en-GB')} plan: `;
		const shown = (await figures.getByRole('link').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
		return orders.total > 0 && meters.planned > 0 && shown[0] === done && shown[4].includes(driven);
	});
	assert.equal(await figures.getByRole('link').count(), 6);
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	await link(/^Late/).click();
	await page.waitForURL(/only=late/);
	await page.getByRole('region', { name: /^Late/ }).waitFor();
	await link(/^No driver/).click();
	await page.waitForURL(/only=unplanned/);
	await link(/^Done/).click();
	await page.waitForURL(/orders\?status=delivered/);
	await close();
});

test('key figures fit on a phone', async () => {
	const { page, close } = await open('dispatcher', { width: 320, language: 'nb' });
	await visit(page, `day/${day}`);
	await page.getByRole('list', { name: 'Nøkkeltall' }).waitFor();
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('a dispatcher is alerted by a rule, snoozes the alert and acknowledges it', async () => {
	const { page, context, close } = await open('dispatcher');
	await visit(page, 'settings/alerts');
	await page.getByLabel('Alert of').selectOption({ label: 'An order without a driver' });
	await page.getByLabel('On the page, with a sound').check();
	await page.getByRole('button', { name: 'Add the rule' }).click();
	await page.getByRole('button', { name: /^Delete the rule An order without a driver/ }).waitFor();
	await page.getByRole('button', { name: /^Change the rule An order without a driver/ }).click();
	const form = page.locator('li form');
	await form.getByLabel('For drivers and orders of').selectOption({ label: 'Oslo' });
	assert.deepEqual(await hindrances(page), []);
	await form.getByRole('button', { name: 'Save the rule' }).click();
	await page.getByRole('button', { name: 'Change the rule An order without a driver · Oslo' }).waitFor();

	await visit(page, `day/${alertDay}`);
	const order = await tooEarly(context, 'ALERTED');
	const alerts = page.getByRole('button', { name: /^Alerts/ });
	await page.getByRole('button', { name: /^Alerts\s*1$/ }).waitFor();
	await alerts.click();
	const panel = page.getByRole('region', { name: 'Alerts' });
	await panel.getByText('Order ALERTED has no driver.').waitFor();
	await panel.getByLabel('Sound').check();
	assert.deepEqual(await hindrances(page), []);
	await panel.getByRole('button', { name: 'Snooze' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Note').fill('The customer calls back.');
	await dialog.getByRole('button', { name: 'Snooze' }).click();
	await panel.getByText(/^Snoozed by .* until .*: The customer calls back\.$/).waitFor();
	await panel.getByText('No alert is open.').waitFor();

	const { items } = await call(context, 'GET', `/v1/alerts?date=${alertDay}`);
	assert.equal(items.length, 1);
	assert.equal(items[0].orderId, order);
	await call(context, 'POST', `/v1/alerts/${items[0].id}/acknowledge`, { note: 'Moved to Monday.' });
	await page.reload();
	await panel.getByText(/^Acknowledged by .*: Moved to Monday\.$/).waitFor();
	await close();
});
