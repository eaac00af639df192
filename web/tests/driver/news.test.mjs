import assert from 'node:assert/strict';
import { test } from 'node:test';
import { office, Phone } from './phone.mjs';

test('changes by the office are listed by name, and urgent ones ring', async () => {
	const phone = await new Phone().begin();
	const { page } = phone;
	const news = (text) => page.getByRole('alert').getByText(text, { exact: true });
	const alarms = () => page.evaluate(() => globalThis.felt.filter((pattern) => pattern.length === 5).length);
	await phone.open();
	await phone.connect('Bodil Eng');
	await phone.startDay();
	await phone.pickUp();
	await phone.waiting(0);
	await phone.readAgain();
	await phone.next();
	assert.equal(await page.getByText('The route changed').count(), 0, 'what the driver did is no news');
	assert.equal(await alarms(), 0);

	await office('POST', '/v2/orders/cancel-orders', { externalIds: ['NEWS-2'] });
	await phone.readAgain();
	await news('The route changed: 1 cancelled (Door NEWS-2)').waitFor();
	assert.equal(await alarms(), 1);
	await phone.look('news-cancelled');
	await phone.readAgain();
	assert.equal(await alarms(), 1, 'once');
	await phone.tap('The route changed: 1 cancelled (Door NEWS-2)', 'link');
	await page.locator('li.card').first().waitFor();
	assert.equal(await page.locator('li.card').count(), 1);
	await phone.tap('OK');
	await news(/The route changed/).waitFor({ state: 'detached' });

	// The other two change places.
	phone.network.edit = (route) => ({ ...route, stops: [...route.stops].sort((a, b) => b.externalId.localeCompare(a.externalId)) });
	await phone.readAgain();
	await news('The route changed: 1 moved · Next: Door NEWS-3').waitFor();
	assert.equal(await alarms(), 2);
	await phone.end();
});
