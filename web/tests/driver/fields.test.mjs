import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from './phone.mjs';

const styled = (what, ...names) =>
	what.evaluate((element, wanted) => wanted.map((name) => getComputedStyle(element)[name]), names);

test('custom fields are shown at their stop, each in its style', async () => {
	const phone = await new Phone().begin();
	const { page } = phone;
	await phone.open();
	await phone.connect('Lise Holm');
	await phone.startDay();

	await phone.next();
	const badge = page.getByRole('listitem').filter({ hasText: 'Bay: 7 (FIELD-1)' });
	await page.getByRole('listitem').filter({ hasText: 'Bay: 8 (FIELD-2)' }).waitFor(); // orders of one location with different values
	assert.deepEqual(await styled(badge, 'backgroundColor', 'color'), ['rgb(31, 78, 121)', 'rgb(255, 255, 255)'], 'its own colours');
	const card = page.getByRole('region', { name: 'Which floor' });
	assert.match(await card.innerText(), /Which floor\s+3\s+Where the lift stops\./, 'its title, its value, and what it is for');
	assert.equal(await page.getByText('EB 12345').count(), 0, 'that of the other stop');
	assert.equal(await page.getByText('4711').count(), 0);
	assert.equal(await page.getByRole('dialog').count(), 0);
	await phone.look('fields-pickup');
	await phone.tap('I have arrived');
	await phone.tap('Picked up');

	const popup = page.getByRole('dialog', { name: 'Read this first' });
	await popup.waitFor();
	assert.match(await popup.innerText(), /Gate code\s+4711/);
	await assert.rejects(page.getByRole('button', { name: 'I have arrived' }).click({ timeout: 500 }), 'nothing goes on before it is read');
	await phone.understood();
	await popup.waitFor({ state: 'hidden' });
	assert.match(await page.getByRole('region', { name: 'Gate code' }).innerText(), /4711/, 'it can be read again');
	const plate = page.getByRole('listitem').filter({ hasText: 'EB 12345' });
	const [border, spacing] = await styled(plate, 'borderTopWidth', 'letterSpacing');
	assert.deepEqual([border, parseFloat(spacing) > 1], ['2px', true], 'it looks like a plate');
	assert.match(await page.getByRole('region', { name: 'Which floor' }).innerText(), /3/);
	assert.equal(await page.getByText('Bay: 7').count(), 0);
	await phone.look('fields-delivery');
	await page.getByRole('link', { name: 'Back' }).click();
	await phone.tap('Open the next stop');
	await plate.waitFor();
	assert.equal(await popup.count(), 0, 'what was read is not asked to be read again');
	await page.reload();
	await plate.waitFor();
	await page.getByRole('region', { name: 'Gate code' }).waitFor();
	assert.equal(await popup.isVisible(), false, 'not after the page was loaded again either');
	await phone.waiting(0);
	await phone.end();
});

test('directions open in the chosen app', async () => {
	const phone = await new Phone().begin();
	const { page } = phone;
	await phone.open();
	await phone.connect('Lise Holm');
	const way = page.getByRole('link', { name: 'Navigate' }).first();
	for (const [name, begins] of [
		['Apple Maps', 'https://maps.apple.com/?daddr=59.91,10.7'],
		['Waze', 'https://waze.com/ul?ll=59.91,10.7'],
		["Phone's default", 'geo:59.91,10.7'],
		['Google Maps', 'https://www.google.com/maps/dir/?api=1&destination=59.91,10.7']
	]) {
		await phone.tap('Settings', 'link');
		await page.getByLabel('Navigation app').selectOption({ label: name });
		await phone.tap('Today', 'link');
		await way.waitFor();
		const leads = await way.getAttribute('href');
		assert.ok(leads.startsWith(begins), `${name}: ${leads}`);
		if (!leads.startsWith('https:')) continue;
		const asked = phone.context.waitForEvent('request', (one) => one.url().startsWith(begins));
		const [opened] = await Promise.all([page.waitForEvent('popup'), asked, way.click()]);
		await opened.close();
	}
	await page.reload();
	await way.waitFor();
	assert.match(await way.getAttribute('href'), /google/, 'it is kept');
	await phone.end();
});
