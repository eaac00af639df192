import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from './phone.mjs';

test('missing goods are not picked up, and each order at a door ends separately', async () => {
	const phone = await new Phone().begin();
	await phone.connect('Liv Sand');
	await phone.startDay();
	await phone.tap('Load', 'link');
	for (const number of ['GOODS-1', 'GOODS-2']) await phone.page.getByRole('checkbox', { name: `Chair of ${number}` }).check();
	await phone.page.getByLabel('Why Chair of GOODS-3 is missing').selectOption('not_there');
	await phone.look('goods-missing');
	await phone.tap('Confirm the load');
	await phone.page.getByRole('heading', { name: 'Today' }).waitFor();
	await phone.waiting(0);

	await phone.next();
	assert.equal(await phone.page.getByText('Order GOODS-3').count(), 0, 'what was not there is not at the terminal any more');
	await phone.tap('I have arrived');
	await phone.tap('Picked up');
	await phone.told();

	await phone.next();
	await phone.tap('Call', 'button');
	const calls = phone.page.getByRole('region', { name: 'Contacts' }).first();
	await calls.getByText('GOODS-2').waitFor();
	assert.equal(await calls.getByRole('link').count(), 2, 'each with its order, and nobody of what was left behind');
	await phone.tap('I have arrived');
	await phone.tap('Deliver', 'link');
	await phone.page.getByLabel("Recipient's name for Person 1 (GOODS-1)").waitFor();
	await phone.page.getByLabel("Recipient's name for Person 2 (GOODS-2)").waitFor();
	await phone.page.goBack();
	await phone.page.getByRole('checkbox', { name: 'Order GOODS-2' }).uncheck();
	await phone.look('goods-chosen');
	await phone.tap('Deliver (1 of 2)', 'link');
	await phone.page.getByLabel("Recipient's name").fill('Kari');
	await phone.tap('Delivered', 'button');
	await phone.told();

	await phone.next();
	await phone.page.getByText('Here', { exact: true }).waitFor(); // the other one stays open
	await phone.tap('Deliver', 'link');
	await phone.page.getByLabel("Recipient's name").fill('Ola');
	await phone.page.getByText('Some goods were refused').click();
	await phone.tap('More');
	await phone.look('goods-refused');
	await phone.tap('Delivered', 'button');
	await phone.told();
	await phone.waiting(0);
	await phone.open('done');
	await phone.page.getByText('Chair of GOODS-2').waitFor(); // it must be returned
	assert.equal(await phone.page.getByText('Chair of GOODS-3').count(), 0, 'which was never on board');
	await phone.end();
});

test('two phones with contradicting reports are both notified', async () => {
	const [first, second] = [await new Phone().begin(), await new Phone().begin()];
	await first.connect('Eli Bakke');
	await first.startDay();
	await first.pickUp();
	await first.waiting(0);
	await second.connect('Eli Bakke');
	first.network.mode = 'deaf';
	await first.deliverTo('Kari');
	await second.next();
	await second.tap('I have arrived');
	await second.tap("Can't deliver", 'link');
	await second.page.getByLabel('Closed, or nobody at home').check();
	await second.tap('Not delivered');
	await second.told();
	await second.tap('Continue');
	await second.waiting(0);
	first.network.mode = 'good';
	await first.open();
	await first.sendNow();
	await first.waiting(0);
	for (const phone of [first, second]) {
		await phone.open();
		await phone.page.getByRole('heading', { name: 'Today' }).waitFor();
		await phone.page.locator('details > summary').filter({ hasText: 'done' }).first().click();
		await phone.page.locator('a[href*="/stop/"]', { hasText: 'Door BOTH-1' }).first().click();
		await phone.page.getByText(/on another phone doesn't count/).waitFor();
		await phone.look('two-phones');
		await phone.end();
	}
});
