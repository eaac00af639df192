import assert from 'node:assert/strict';
import { test } from 'node:test';
import { office, Phone } from './phone.mjs';

/** The balances of the only delivery's location, by kind, as the office sees them. */
async function balances() {
	const { items } = await office('GET', '/v2/cargo-carrier-accounts');
	return Object.fromEntries(items.filter(({ party }) => party.name === 'Door PALLET-1').map((one) => [one.cargoCarrier.code, one.balance]));
}

/** Opens the finished stop of the door. */
async function openDoor(phone) {
	await phone.page.getByText('2 stops done').click();
	await phone.page.getByRole('link', { name: /Door PALLET-1/ }).first().click();
}

test('load carriers are exchanged at a door, online and offline', async () => {
	await office('PUT', '/v2/cargo-carriers', { code: 'EUR1', name: 'EUR pallet' });
	await office('PUT', '/v2/cargo-carriers', { code: 'ROLL', name: 'Roll cage' });
	await office('PUT', '/v2/cargo-carriers', { code: 'OLD', name: 'Old crate', isActive: false });
	const phone = await new Phone().begin();
	await phone.open();
	await phone.connect('Per Aune');
	await phone.startDay();
	await phone.waiting(0);
	await phone.pickUp();
	await phone.deliverTo('Kari');
	await phone.waiting(0);
	await phone.tap('Continue');
	await phone.page.getByText('All stops are done').waitFor();
	await openDoor(phone);
	await phone.tap('Load carriers', 'link');
	const count = (kind, way) => phone.page.getByRole('group', { name: `${kind}: ${way}` });
	assert.equal(await phone.page.getByText('Old crate').count(), 0);
	assert.ok(await phone.page.getByRole('button', { name: 'Record the load carriers' }).isDisabled(), 'nothing is said of nothing');
	for (let more = 0; more < 3; more++) await count('EUR pallet', 'Hand over').getByRole('button', { name: 'More' }).click();
	await count('EUR pallet', 'Hand over').getByRole('button', { name: 'Fewer' }).click();
	await count('EUR pallet', 'Take back').getByRole('textbox').fill('5');
	await count('Roll cage', 'Take back').getByRole('textbox').fill('many');
	await count('Roll cage', 'Hand over').getByRole('textbox').fill('1');
	await phone.look('load-carriers');
	await phone.tap('Record the load carriers');
	await phone.page.getByRole('heading', { name: 'Sent' }).waitFor();
	await phone.page.getByText('EUR pallet +2 −5, Roll cage +1').waitFor();
	await phone.look('load-carriers-sent');
	assert.deepEqual(await balances(), { EUR1: -3, ROLL: 1 });

	// Undoing and repeating without a network is correct once there is one.
	phone.network.mode = 'deaf';
	await phone.tap(/^Undo/);
	await phone.page.locator('h2#place').waitFor();
	assert.equal(await phone.page.getByText('EUR pallet +2 −5').count(), 0);
	await phone.tap('Load carriers', 'link');
	await count('EUR pallet', 'Take back').getByRole('textbox').fill('4');
	await phone.tap('Record the load carriers');
	await phone.page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
	await phone.tap('Waiting', 'link');
	await phone.waiting(2);
	await phone.page.getByText('EUR pallet −4').waitFor();
	await phone.look('load-carriers-waiting');
	await phone.page.reload();
	await phone.waiting(2);
	phone.network.mode = 'lossy';
	await phone.sendNow();
	await phone.waiting(2);
	phone.network.mode = 'good';
	await phone.page.reload();
	await phone.waiting(0);
	assert.deepEqual(await balances(), { EUR1: -4, ROLL: 0 });
	await phone.tap('Today', 'link');
	await openDoor(phone);
	await phone.page.getByText('EUR pallet −4').waitFor();
	await phone.page.locator('[data-status="completed"]').waitFor();
	await phone.understood();
	await phone.look('load-carriers-said');
	await phone.end();
});
