import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from './phone.mjs';

test('a route continues after midnight, and the next one waits', async () => {
	const phone = await new Phone({ clock: -26 * 3600e3 }).begin(); // the day is that of the service
	await phone.open();
	await phone.connect('Mona Natt');
	await phone.startDay();
	await phone.pickUp();
	await phone.deliverTo('Per');
	await phone.tap('Continue');
	await phone.page.getByText('All stops are done').waitFor();
	await phone.waiting(0);
	const days = phone.page.locator('details summary').last();
	assert.match(await days.innerText(), /1 pickup|2 stops/);
	await phone.tap('Review the day', 'link');
	await phone.tap('End the day');
	await phone.page.getByText('The day is over').waitFor();
	await phone.waiting(0);
	await phone.page.getByText('The day is over').waitFor(); // though the service is at the next route
	await phone.tap('Today', 'link');
	await phone.page.getByText('All stops are done').waitFor();
	await phone.end();
});
