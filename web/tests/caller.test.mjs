// Somebody calls: the order is found by anything the caller says, its card says where it is, and
// offers to call, move and track it. Actions are counted: a key, a click or a text is one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, settled, until, visit } from './browser.mjs';

after(() => browser.close());

async function importOrder(context, externalId, phoneNumber, address1) {
	const { results } = await call(context, 'POST', '/v3/orders/import', {
		orders: [{
			externalId,
			date: day,
			customer: { externalId: 'C-100' },
			orderType: { name: 'Standard' },
			vehicleType: { name: 'Van' },
			pickup: { externalId: 'T-OSL' },
			delivery: {
				name: `Solveig ${externalId}`,
				address: { address1, postalCode: '0368', city: 'Oslo', country: 'NO' },
				contacts: [{ firstName: 'Solveig', phoneNumber }]
			},
			products: [{ name: 'Box', quantity: 1, weight: 5 }]
		}]
	});
	const id = results[0].orderCreated.OrderID;
	await until('it is planned', async () => (await call(context, 'GET', `/v2/orders/${id}/planning`)).state === 'PLANNED');
	return id;
}

test('an order is found by anything a caller says with three actions, and its card answers', async () => {
	const { page, context, close } = await open('dispatcher');
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	const id = await importOrder(context, 'CALLER-4417', '+4740004417', 'Kallerveien 417');
	const { driver } = await call(context, 'GET', `/v2/orders/${id}/planning`);
	await visit(page, 'drivers');
	const card = page.getByRole('dialog', { name: 'Order CALLER-4417' });
	for (const said of ['caller4417', '40 00 44 17', 'kallerv 417', 'solveig caller', '4417']) {
		let actions = 0;
		const act = (what) => (actions++, what);
		await act(page.keyboard.press('/'));
		await act(page.keyboard.insertText(said));
		await act(page.keyboard.press('Enter'));
		await card.waitFor();
		assert.ok(actions <= 3, `${said}: ${actions} actions`);
		await card.getByText(`${driver.name} is planned to deliver it at`).waitFor();
		await page.keyboard.press('Escape');
		await card.waitFor({ state: 'hidden' });
	}
	await page.keyboard.press('/');
	await page.getByRole('combobox', { name: 'Search' }).fill('caller4417');
	await page.keyboard.press('Enter');
	assert.equal(await card.getByRole('link', { name: /^Call customer/ }).getAttribute('href'), 'tel:+4740004417');
	await settled(page);
	assert.deepEqual(await hindrances(page), []);

	await card.getByRole('button', { name: 'Tracking link' }).click();
	await page.getByText('Copied.').waitFor();
	const { order_locations } = await call(context, 'GET', `/v1/orders/${id}?loads=OrderLocations.TrackTraces`);
	const links = order_locations.flatMap(({ track_traces = [] }) => track_traces.map((one) => one.tracking_link));
	assert.ok(links.includes(await page.evaluate(() => navigator.clipboard.readText())), JSON.stringify(links));
	await close();
});

test('the page of an order answers where it is first, and moves, locks and unlocks it', async () => {
	const { page, context, close } = await open('dispatcher');
	const id = await importOrder(context, 'ANSWER-1', '+4740004418', 'Kallerveien 418');
	const planning = () => call(context, 'GET', `/v2/orders/${id}/planning`);
	const { driver } = await planning();
	await visit(page, `orders/${id}`);
	await page.getByText(`${driver.name} is planned to deliver it at`).first().waitFor();
	const above = await page.evaluate(() => document.querySelector('main').innerText.indexOf('is planned to deliver it') < document.querySelector('main').innerText.indexOf('Solveig'));
	assert.ok(above, 'the answer comes first');
	const head = page.locator('main').first();
	await head.getByRole('button', { name: 'Lock', exact: true }).click();
	await until('it is locked', async () => (await planning()).lock?.driverId === driver.id);
	await head.getByRole('button', { name: 'Unlock', exact: true }).first().click();
	await until('it is unlocked', async () => (await planning()).lock === null);

	await head.getByRole('button', { name: 'Move to…' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByText(/ km · /).first().waitFor();
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	const [first, second] = await dialog.getByRole('listitem').allInnerTexts();
	assert.ok(first && second, 'drivers are listed');
	await dialog.getByRole('button').filter({ hasText: / km · / }).nth(1).click();
	await dialog.getByText(/^(Fits|Breaks)/).waitFor();
	const why = dialog.getByLabel('Reason');
	if (await why.isVisible()) await why.fill('The customer has agreed.');
	await dialog.getByRole('button', { name: 'Move', exact: true }).click();
	await until('another driver has it', async () => ((await planning()).driver?.id ?? driver.id) !== driver.id);
	await close();
});

test('drivers are listed with their prices, and the map shows the route of the one under the pointer', async () => {
	const { page, context, close } = await open('dispatcher');
	const id = await importOrder(context, 'PRICED-1', '+4740004419', 'Kallerveien 419');
	const { departmentId } = await call(context, 'GET', `/v2/orders/${id}/planning`);
	const query = `orderId=${id}${departmentId ? `&departmentId=${departmentId}` : ''}`;
	const { candidates } = await call(context, 'GET', `/v2/plans/${day}/candidates?${query}`);
	await visit(page, `day/${day}?sel=o${id}`);
	await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Move to…' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByText(/ km · /).first().waitFor();
	const others = candidates.filter(({ isCurrent }) => !isCurrent);
	const shown = (await dialog.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0].trim());
	assert.deepEqual(shown.slice(0, others.length), others.map(({ driverName }) => driverName));
	for (const { driverName, refusal } of others.filter((one) => one.refusal)) {
		await dialog.getByRole('button', { name: driverName }).getByText(refusal.text).waitFor();
	}
	const asked = page.waitForResponse((answer) => answer.url().endsWith('/moves'));
	await dialog.getByRole('button', { name: others[0].driverName }).hover();
	const { applied, routes } = await (await asked).json();
	assert.equal(applied, false);
	assert.ok(routes.some(({ after }) => after?.sequence.some(({ orderId }) => orderId === id)), 'the new route has the order');
	await dialog.getByText('Dashed: the routes now.').waitFor();
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('the card fits on a narrow screen', async () => {
	const { page, context, close } = await open('support', { width: 320, language: 'da', theme: 'dark' });
	const office = await open('dispatcher');
	await importOrder(office.context, 'SMALL-1', '+4740004420', 'Kallerveien 420');
	await office.close();
	await visit(page, 'orders');
	await page.getByRole('combobox').first().fill('small-1');
	await page.keyboard.press('Enter');
	await page.getByRole('dialog', { name: /SMALL-1/ }).getByRole('link', { name: /Ring til kunden/ }).waitFor();
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
	void context;
	await close();
});
