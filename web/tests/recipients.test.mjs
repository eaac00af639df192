// What administrators set for recipients, and what recipients do. It compares the pages with the service.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, until, visit, weekday } from './browser.mjs';

after(() => browser.close());

const pageOf = async (context) => (await call(context, 'GET', '/v1/organization')).recipient_page;

test('administrators set how recipients see the organization, and what they may do', async () => {
	const { page, context, close } = await open('admin');
	await visit(page, 'settings/organization');
	const form = page.getByRole('region', { name: 'For recipients' });
	const save = () => form.getByRole('button', { name: 'Save' }).click();
	await form.getByLabel('Color').fill('green');
	await save();
	await form.locator('.wrong').first().waitFor();
	assert.equal(await pageOf(context), null, 'nothing is saved of a wrong color');
	await form.getByLabel('Color').fill('#0A6B4F');
	await form.getByLabel('Phone number').fill('+47 22 00 00 00');
	await form.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('iVBORw0KGgo=', 'base64') });
	const instructions = form.getByRole('group', { name: 'Instructions for the driver' });
	await instructions.getByLabel('Allowed').check();
	await instructions.getByLabel('Minutes before the expected time').fill('30');
	const rating = form.getByRole('group', { name: 'Rating' });
	await rating.getByLabel('Allowed').check();
	await rating.getByLabel('Days after the delivery').fill('7');
	await form.getByRole('group', { name: 'Preferences' }).getByLabel('Allowed').check();
	await form.getByRole('group', { name: 'Another slot of the day' }).getByLabel('Allowed').check();
	await form.getByRole('button', { name: 'Remove the logo' }).waitFor();
	assert.deepEqual(await hindrances(page), []);
	await save();
	await until('the organization has it', async () => (await pageOf(context))?.color === '#0A6B4F');
	const said = await pageOf(context);
	assert.deepEqual(said.actions, { instructions: { minutes_before: 30 }, rating: { days_after: 7 }, preferences: {}, slot: {} });
	assert.equal(said.logo, 'data:image/png;base64,iVBORw0KGgo=');

	await visit(page, 'settings/organization');
	assert.equal(await instructions.getByLabel('Minutes before the expected time').inputValue(), '30');
	await form.getByRole('button', { name: 'Remove the logo' }).click();
	await instructions.getByLabel('Minutes before the expected time').fill('');
	await save();
	await until('the logo is gone', async () => !(await pageOf(context)).logo);
	assert.deepEqual((await pageOf(context)).actions, { instructions: {}, rating: { days_after: 7 }, preferences: {}, slot: {} });
	await close();
});

/** Imports an order, has recipients do what is allowed, and returns its identifier and the link to its delivery. */
async function followed(context, number, actions, date = day) {
	const { results } = await call(context, 'POST', '/v3/orders/import', { orders: [{
		externalId: number, date, customer: { externalId: 'C-100' }, orderType: { name: 'Standard' }, vehicleType: { name: 'Van' }, pickup: { externalId: 'T-OSL' },
		delivery: { name: 'Ola Hansen', address: { address1: 'Thorvald Meyers gate 40', postalCode: '0555', city: 'Oslo', country: 'NO' }, contacts: [{ firstName: 'Ola' }] },
		products: [{ externalId: 'L', name: 'Lamp', quantity: 1, weight: 3 }]
	}] });
	const id = Object.values(results[0]).find((one) => one?.OrderID)?.OrderID;
	assert.ok(id, JSON.stringify(results));
	await call(context, 'PUT', '/v1/organization', { recipient_page: { actions } });
	const { delivery } = await call(context, 'POST', '/v2/orders/tracking-link', { externalId: number });
	return { id, link: delivery.trackingLink };
}

test('a recipient without JavaScript leaves instructions, and the office sees them', async () => {
	const { page, context, close } = await open('admin');
	const { id, link } = await followed(context, 'RECIPIENT-1', { instructions: {} });
	const without = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 }, locale: 'en-GB' });
	const own = await without.newPage();
	await own.goto(link);
	await own.getByRole('link', { name: 'Leave instructions for the driver' }).click();
	await own.getByLabel('Instructions for the driver').fill('Ring twice');
	await own.getByLabel('Where may the driver leave it').selectOption('In the shed');
	await own.getByLabel('Door code').fill('12#34');
	assert.ok(await own.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nobody has to scroll sideways');
	await own.getByRole('button', { name: 'Send' }).click();
	await own.getByRole('status').getByText('Thank you.').waitFor();
	await own.reload();
	await own.getByText('In the shed').waitFor();
	await own.getByRole('link', { name: 'Leave instructions for the driver' }).click();
	assert.equal(await own.getByLabel('Door code', { exact: true }).inputValue(), '', 'nobody reads the code');
	await own.getByRole('link', { name: 'Back to the delivery' }).click();
	await without.close();
	await page.setViewportSize({ width: 320, height: 640 });
	for (const address of [link, `${link}?said=INSTRUCTIONS`, `${link}/instructions`]) {
		await page.goto(address);
		assert.deepEqual(await hindrances(page), [], address);
	}
	await page.setViewportSize({ width: 1440, height: 900 });

	await visit(page, `orders/${id}`);
	const said = page.getByRole('region', { name: 'From the recipient' });
	await said.getByText('Ring twice').waitFor();
	await said.getByText('In the shed').waitFor();
	assert.ok(!(await page.locator('main').innerText()).includes('12#34'));
	const story = page.locator('section.story').getByRole('listitem').filter({ hasText: 'Instructions of the recipient' });
	assert.match(await story.innerText(), /Recipient/);
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('a recipient without JavaScript rates a delivery, and the office sees it', async () => {
	const { page, context, close } = await open('admin');
	const { id, link } = await followed(context, 'RECIPIENT-2', { rating: {} });
	await page.goto(link);
	assert.equal(await page.getByRole('link', { name: 'Rate the delivery' }).count(), 0, 'nothing is rated before it came');
	for (const status of [3, 4, 5, 6]) await context.request.put(`/v1/orders/${id}/status`, { data: { order_status_id: status } });
	const without = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 }, locale: 'en-GB' });
	const own = await without.newPage();
	await own.goto(link);
	await own.getByRole('link', { name: 'Rate the delivery' }).click();
	await own.getByRole('group', { name: 'How was the delivery?' }).getByLabel('Bad', { exact: true }).check();
	await own.getByLabel('Comment').fill('The box was open');
	assert.ok(await own.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nobody has to scroll sideways');
	await own.getByRole('button', { name: 'Send' }).click();
	await own.getByRole('status').getByText('Thank you for your rating.').waitFor();
	await own.getByText('The box was open').waitFor();
	await without.close();
	await page.setViewportSize({ width: 320, height: 640 });
	for (const address of [link, `${link}?said=RATING`, `${link}/rating`]) {
		await page.goto(address);
		assert.deepEqual(await hindrances(page), [], address);
	}
	await page.setViewportSize({ width: 1440, height: 900 });

	await visit(page, `orders/${id}`);
	const said = page.getByRole('region', { name: 'From the recipient' });
	await said.getByText('The box was open').waitFor();
	await said.getByText('2 of 5').waitFor();
	const story = page.locator('section.story').getByRole('listitem').filter({ hasText: /rated|rating/i });
	assert.match(await story.innerText(), /Recipient/);
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('a recipient without JavaScript chooses messages, and the office sees it', async () => {
	const { page, context, close } = await open('admin');
	const { id, link } = await followed(context, 'RECIPIENT-3', { preferences: {} });
	const without = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 }, locale: 'en-GB' });
	const own = await without.newPage();
	await own.goto(link);
	const choose = async (label, value) => {
		await own.getByRole('link', { name: 'Choose your messages' }).click();
		await own.getByLabel(label).selectOption(value);
		assert.ok(await own.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nobody has to scroll sideways');
		await own.getByRole('button', { name: 'Send' }).click();
		await own.getByRole('status').getByText('Thank you.').waitFor();
	};
	await choose('Language of messages', 'Danish');
	await own.getByText('Danish').waitFor();
	await choose('Messages about this delivery', 'Send me no messages');
	await own.getByText('Send me no messages').waitFor();
	await own.getByRole('link', { name: 'Choose your messages' }).click();
	assert.equal(await own.getByLabel('Language of messages').inputValue(), 'da', 'what was chosen stays');
	await without.close();
	await page.setViewportSize({ width: 320, height: 640 });
	for (const address of [link, `${link}/preferences`]) {
		await page.goto(address);
		assert.deepEqual(await hindrances(page), [], address);
	}
	await page.setViewportSize({ width: 1440, height: 900 });

	await visit(page, `orders/${id}`);
	const said = page.getByRole('region', { name: 'From the recipient' });
	await said.getByText('Wants none').waitFor();
	const story = page.locator('section.story').getByRole('listitem').filter({ hasText: 'Messages chosen by the recipient' });
	assert.match(await story.first().innerText(), /Recipient/);
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('a recipient without JavaScript chooses another slot, and the plan follows', async () => {
	const { page, context, close } = await open('admin');
	const { id, link } = await followed(context, 'RECIPIENT-4', { slot: {} }, weekday);
	const without = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 }, locale: 'en-GB' });
	const own = await without.newPage();
	await own.goto(link);
	await own.getByRole('link', { name: 'Choose another time' }).click();
	await own.getByRole('group', { name: 'When may we come?' }).getByLabel('12:00–16:00').check();
	assert.ok(await own.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nobody has to scroll sideways');
	await own.getByRole('button', { name: 'Send' }).click();
	await own.getByRole('status').getByText('Thank you. The delivery is planned for that time.').waitFor();
	await own.getByText('12:00–16:00').first().waitFor();
	await own.getByRole('link', { name: 'Choose another time' }).click();
	assert.ok(await own.getByLabel('12:00–16:00').isChecked(), 'what was chosen stays');
	await without.close();
	const { slots } = await (await context.request.get(`${link}/slot`, { headers: { Accept: 'application/json' } })).json();
	const { earliest, latest } = slots.find(({ chosen }) => chosen);
	await until('the plan follows', async () => {
		const { delivery } = await call(context, 'GET', `/v2/orders/${id}/planning`);
		return delivery && delivery.startsAt >= earliest && delivery.startsAt <= latest;
	});
	await page.setViewportSize({ width: 320, height: 640 });
	await page.goto(`${link}/slot`);
	assert.deepEqual(await hindrances(page), []);
	await page.setViewportSize({ width: 1440, height: 900 });

	await visit(page, `orders/${id}`);
	const story = page.locator('section.story').getByRole('listitem').filter({ hasText: /booked/i });
	assert.match(await story.first().innerText(), /Recipient/);
	assert.deepEqual(await hindrances(page), []);
	await close();
});
