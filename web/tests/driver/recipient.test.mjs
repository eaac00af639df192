import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drivers, office, Phone } from './phone.mjs';

/** Gives a driver an order for the door of TELL-1, and returns the delivery. */
async function earlier(name) {
	const { results } = await office('POST', '/v3/orders/import', { orders: [{
		externalId: 'TOLD-1', date: new Date().toISOString().slice(0, 10), customer: { externalId: 'C-100' },
		orderType: { name: 'Standard' }, vehicleType: { name: 'Van' }, pickup: { externalId: 'T-OSL' },
		delivery: { name: 'Door TELL-1', address: { address1: 'Storgata 1', postalCode: '0155', city: 'Oslo', country: 'NO' } },
		products: [{ name: 'Chair', quantity: 1 }]
	}] });
	const id = results[0].orderCreated.OrderID;
	await office('PUT', `/v1/orders/${id}/status`, { order_status_id: 2, driver_id: drivers[name] }, true);
	const { order_locations } = await office('GET', `/v1/orders/${id}?loads=OrderLocations`, undefined, true);
	return order_locations.find(({ type }) => type === 'delivery').id;
}

test('what a recipient asks is shown at the stop, and follows while it is open', async () => {
	const { delivery } = await office('POST', '/v2/orders/tracking-link', { externalId: 'TELL-1' });
	const ask = async (body) => {
		const address = `${process.env.WAYBILL_URL}${new URL(delivery.trackingLink).pathname}/instructions`;
		const answer = await fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
		assert.equal(answer.status, 200, await answer.text());
	};
	await ask({ instructions: 'Ring twice', doorCode: '12#34' });
	const phone = await new Phone().begin();
	const { page } = phone;
	await phone.open();
	await phone.connect('Tone Berg');
	const stopId = await earlier('Tone Berg');
	const noted = await page.evaluate(async (stop) => {
		const now = new Date().toISOString();
		const action = { id: crypto.randomUUID(), type: 'NOTE', stopId: stop, occurredAt: now, sentAt: now, comment: 'The bell is round the corner' };
		return (await fetch('/v1/driver/actions', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ actions: [action] }) })).text();
	}, stopId);
	assert.match(noted, /RECORDED|APPLIED/);
	await phone.installed();
	await phone.startDay();
	assert.ok(!(await page.locator('main').innerText()).includes('12#34'), 'the door code is at the stop only');
	await page.getByRole('link', { name: /Door TELL-1/ }).click();
	await page.locator('h2#place').waitFor();
	// What has to be read first may open late.
	await page.getByRole('dialog').waitFor({ timeout: 5000 }).then(() => phone.understood(), () => {});
	await page.getByRole('region', { name: 'From the recipient' }).getByText('Ring twice').waitFor();
	await page.getByRole('region', { name: 'Door code' }).getByText('12#34').waitFor();
	await page.getByRole('region', { name: /A driver’s note/ }).getByText('The bell is round the corner').waitFor();
	assert.equal(await page.getByText('Nobody is at home').count(), 0);

	const absent = page.getByRole('region', { name: 'Nobody is at home' });
	await ask({ instructions: 'Ring twice', absent: true });
	await absent.getByText('no place where you may leave it').waitFor();
	await ask({ instructions: 'Ring twice', absent: true, safePlace: 'SHED', safePlaceNote: 'It is open' });
	await absent.getByText('In the shed: It is open').waitFor();
	await page.getByRole('region', { name: 'Door code' }).getByText('12#34').waitFor();
	await phone.look('from-recipient');
	await phone.end();
});
