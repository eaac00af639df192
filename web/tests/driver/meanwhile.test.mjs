import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drivers, office, orders, Phone, revoke, until } from './phone.mjs';

test('changes by others are shown, and a disconnected phone keeps unsent actions', async () => {
	const phone = await new Phone().begin();
	await phone.open();
	await phone.connect('Ola Vik');
	await phone.stand(59.912); // an arrival that is proposed happened before the cancellation
	await phone.startDay();
	await phone.waiting(0);
	await phone.pickUp();
	await phone.waiting(0);
	phone.network.mode = 'deaf';
	await office('POST', '/v2/orders/cancel-orders', { externalIds: ['GONE-1'] });
	await phone.deliverTo('Per');
	await phone.tap('Waiting', 'link');
	await phone.waiting(2);
	phone.network.mode = 'good';
	await phone.sendNow();
	await phone.page.getByText('cancelled').first().waitFor();
	await phone.page.getByText('the office decides').first().waitFor();
	const call = phone.page.getByRole('link', { name: 'Call the office: +47 22 00 00 00' });
	assert.equal(await call.first().getAttribute('href'), 'tel:+4722000000');
	await phone.look('conflict');
	await phone.understoodAll();
	await phone.tap('Today', 'link');
	await phone.page.getByText('The route changed').click();
	await phone.page.getByText('Cancelled').first().waitFor();
	await phone.look('route-changed');
	await phone.tap('OK');

	await revoke('Ola Vik');
	await phone.deliverTo('Per');
	await phone.tap('Waiting', 'link');
	await phone.page.getByText('This phone is no longer connected').waitFor();
	await phone.look('stranger');
	// Actions before the office's cancellation count.
	await office('POST', '/v2/orders/cancel-orders', { externalIds: ['GONE-2'] });
	await phone.connect('Ola Vik');
	await phone.waiting(0);
	await phone.end();
});

test('changes of an order by others decide which actions count', async () => {
	const phone = await new Phone().begin();
	await phone.open();
	await phone.connect('Ida Ruud');
	await phone.startDay();
	await phone.waiting(0);
	phone.network.mode = 'deaf';
	// One is another driver's, who has picked it up; one has been delivered;
	// and one has not begun.
	for (const [number, status] of [['MOVED-1', 4], ['MOVED-2', 6], ['MOVED-3', 2]]) {
		const body = { order_status_id: status, driver_id: drivers['Astrid Dahl'] };
		await office('PUT', `/v1/orders/${orders[number]}/status`, body, true);
	}
	await phone.pickUp();
	for (let door = 0; door < 3; door++) await phone.deliverTo('Per');
	await phone.tap('Waiting', 'link');
	await phone.waiting(12);
	phone.network.mode = 'good';
	await phone.sendNow();
	await phone.waiting(0);
	await phone.page.getByText('Another driver has it now').first().waitFor();
	await phone.page.getByText('It was already done').first().waitFor();
	await until(async () => (await phone.page.locator('article.said.stop').count()) === 8);
	await phone.look('conflicts');

	// A day without open stops can't be ended with unread problems.
	phone.network.edit = (route) => ({ ...route, stops: route.stops.filter(({ externalId }) => externalId !== 'MOVED-1') });
	await phone.open('done');
	await phone.page.locator('dt', { hasText: 'Still open' }).waitFor();
	await phone.readAgain();
	await until(async () => (await phone.page.locator('dt', { hasText: 'Still open' }).locator('+ dd').innerText()) === '0');
	await phone.tap('End the day');
	const question = phone.page.getByRole('dialog');
	await question.getByRole('link', { name: '8 unread problems' }).waitFor();
	assert.equal(await question.getByText('still open').count(), 0);
	await phone.look('end-unread');
	await phone.tap('Not yet');
	await question.waitFor({ state: 'hidden' });
	assert.equal(await phone.page.getByText('The day is over').count(), 0);
	await phone.tap('End the day');
	await question.getByRole('link', { name: '8 unread problems' }).click();
	await phone.page.getByRole('heading', { name: 'Waiting' }).waitFor();
	phone.network.edit = undefined;
	await phone.readAgain();
	await phone.understoodAll();
	await phone.tap('Today', 'link');
	await phone.page.getByText('3 of 4 done').waitFor(); // the plan still has another driver's delivery
	await phone.end();
});

test('a new version of the app waits for the driver, and an update loses nothing', async () => {
	const phone = await new Phone().begin();
	await phone.open();
	await phone.connect('Astrid Dahl');
	await phone.installed();
	phone.network.mode = 'deaf';
	await phone.startDay();
	await phone.waiting(1);
	phone.network.isNewer = true;
	const worker = () => phone.page.evaluate(async () => {
		const { active, waiting } = await navigator.serviceWorker.getRegistration();
		return { active: active?.state, waits: Boolean(waiting) };
	});
	await phone.page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
	const offer = phone.page.getByRole('button', { name: /new version/ });
	await offer.waitFor();
	assert.deepEqual(await worker(), { active: 'activated', waits: true }, 'it waits');
	await phone.look('new-version');
	const loaded = phone.page.waitForEvent('load');
	await offer.click();
	await loaded;
	await phone.waiting(1);
	assert.deepEqual(await worker(), { active: 'activated', waits: false });
	assert.equal(await offer.count(), 0);
	phone.network.mode = 'good';
	await phone.tap('Waiting', 'link');
	await phone.sendNow();
	await phone.waiting(0);
	await phone.end();
});

test('a full disk is reported', async () => {
	const phone = await new Phone().begin();
	await phone.open();
	await phone.connect('Astrid Dahl');
	phone.network.mode = 'deaf';
	await phone.next();
	await phone.fillDisk(true);
	await phone.tap('I have arrived');
	await phone.page.getByRole('alert').getByText('storage is full').waitFor();
	await phone.waiting(0);
	await phone.page.getByText('To do').waitFor();
	await phone.fillDisk(false);
	await phone.tap('I have arrived');
	await phone.waiting(2);
	phone.network.mode = 'good';
	await phone.tap('Waiting', 'link');
	await phone.sendNow();
	await phone.waiting(0);
	await phone.end();
});
