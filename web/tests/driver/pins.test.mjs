import assert from 'node:assert/strict';
import { test } from 'node:test';
import { office, Phone } from './phone.mjs';

test('a wrong pin is reported without a network, and the office gets the proposal', async () => {
	const phone = await new Phone().begin();
	const { page } = phone;
	await phone.open();
	await phone.connect('Pia Naal');
	await phone.installed();
	await phone.startDay();
	await phone.stand(59.926);
	await phone.open();
	await page.getByRole('link', { name: /Door PIN-1/ }).click();
	await page.locator('h2#place').waitFor();
	// What has to be read first may open late.
	await page.getByRole('dialog').waitFor({ timeout: 5000 }).then(() => phone.understood(), () => {});
	phone.network.mode = 'deaf';
	await page.getByText('The pin is wrong').click();
	await page.getByRole('button', { name: 'Where I am (within 12 m)' }).waitFor();
	const pin = page.getByRole('button', { name: /^The pin\./ });
	const at = await pin.getAttribute('data-at');
	await pin.focus();
	await page.keyboard.press('ArrowUp');
	await page.waitForFunction(([element, before]) => element.dataset.at !== before, [await pin.elementHandle(), at]);
	const [latitude, longitude] = (await pin.getAttribute('data-at')).split(' ').map(Number);
	assert.ok(latitude > 59.926);
	await page.getByRole('button', { name: 'Report this position' }).click();
	await page.getByText('Reported. The office checks it').waitFor();
	await phone.look('wrong-pin');
	phone.network.mode = 'good';
	await phone.sendNow();
	await phone.waiting(0);
	const { items } = await office('GET', '/v1/places/proposals');
	const proposal = items.find((one) => one.driverName === 'Pia Naal');
	assert.deepEqual([proposal?.source, proposal?.latitude, proposal?.longitude], ['DRIVER', latitude, longitude]);
	await phone.end();
});
