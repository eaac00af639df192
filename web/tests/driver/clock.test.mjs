import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from './phone.mjs';

test('the app shows the service’s day, and names a wrong clock and a refusal', async () => {
	const phone = await new Phone({ clock: 26 * 3600e3 }).begin();
	const { page } = phone;
	await phone.open();
	await phone.connect('Astrid Dahl');
	await page.getByText("Your phone's clock is off by 26 h 00 min.").waitFor();
	const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
	await page.getByText(day.format(new Date(`${process.env.WAYBILL_DAY}T00:00:00Z`))).waitFor();
	assert.equal(await page.getByText('No network').count(), 0);
	await phone.look('clock-wrong');
	phone.network.refuses = true;
	await page.reload();
	await page.getByText('The service refused to show the route.').waitFor();
	assert.equal(await page.getByText('No network').count(), 0);
	phone.network.refuses = false;
	phone.network.mode = 'deaf';
	await page.reload();
	await page.getByText('No network.').waitFor();
	await phone.end();
});
