import assert from 'node:assert/strict';
import { test } from 'node:test';
import { office, Phone } from './phone.mjs';

test('the driver hears of a cancellation within seconds', async (t) => {
	const phone = await new Phone().begin();
	const { page } = phone;
	await phone.open();
	await phone.connect('Vera Lund');
	await phone.startDay();
	await phone.waiting(0);
	const began = Date.now();
	await office('POST', '/v2/orders/cancel-orders', { externalIds: ['LIVE-2'] });
	await page.getByRole('alert').getByText(/1 cancelled/).waitFor();
	const took = Date.now() - began;
	t.diagnostic(`after ${took} ms`);
	assert.ok(took < 15_000, `${took} ms`); // 5 s, on a machine that does nothing else
	await phone.end();
});
