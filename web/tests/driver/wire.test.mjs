import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone, sizes, until } from './phone.mjs';

const doors = 20; // of 120; later ones need less, as fewer stops are left

test('a day of 120 stops is at most a megabyte on the wire', async (t) => {
	const phone = await new Phone().begin();
	const { page, network } = phone;
	await phone.open();
	await phone.connect('Ada Wiik');
	await phone.installed();
	await phone.startDay();
	await phone.waiting(0);
	const changes = () => page.waitForResponse((answer) => answer.url().includes('/v1/driver/route/changes'));
	/** Does something, and waits until the phone has sent it and read what changed. */
	const andRead = async (what) => {
		const read = changes();
		await what();
		await phone.waiting(0);
		await read;
	};

	// The overview of 120 doors: 40 of them are on five screens, and each can be found.
	const lines = page.locator('li[data-visit]');
	await lines.nth(119).waitFor();
	const forty = await lines.nth(38).evaluate((line) => line.getBoundingClientRect().bottom + scrollY);
	const room = (await phone.room()) * sizes[0].height;
	t.diagnostic(`40 stops are on ${(forty / room).toFixed(1)} screens`);
	assert.ok(forty <= 5 * room, `${forty} of ${room}`);
	await page.getByLabel('Search the stops').fill('wire-077');
	await page.getByText('1 stop', { exact: true }).waitFor();
	await lines.filter({ hasText: 'Door WIRE-077' }).waitFor();
	await phone.look('overview');

	await phone.next();
	const asked = network.asked;
	await andRead(async () => {
		await phone.tap('Picked up');
		await until(() => network.asked - asked >= 3); // until then the phone may look as if all were sent
	});
	assert.equal(network.asked - asked, 3, '240 actions in three requests');

	let before = network.bytes;
	const reads = network.reads;
	for (let door = 0; door < doors; door++) {
		await page.getByText('To do', { exact: true }).waitFor();
		await andRead(() => phone.tap('I have arrived'));
		await phone.tap('Deliver', 'link');
		await andRead(() => phone.tap('Delivered to Kari Nordmann'));
	}
	const perDoor = (network.bytes - before) / doors;
	t.diagnostic(`${(network.reads - reads) / doors} reads for each door`);

	before = network.bytes;
	await phone.readAgain();
	const perRead = network.bytes - before;

	before = network.bytes;
	await page.evaluate(() => new Promise((done) => {
		const deleted = indexedDB.open('waybill-driver');
		deleted.onsuccess = () => {
			const cleared = deleted.result.transaction('routes', 'readwrite').objectStore('routes').clear();
			cleared.onsuccess = () => (deleted.result.close(), done());
		};
	}));
	await phone.readAgain();
	await page.locator('h2#place').waitFor();
	const whole = network.bytes - before;

	// The route once, 120 doors, and a read every five minutes of ten hours.
	const day = whole + 120 * perDoor + 120 * perRead;
	const said = Object.entries({ whole, perDoor, perRead, day }).map(([name, bytes]) => `${name} ${Math.round(bytes)}`).join(', ');
	t.diagnostic(`bytes with headers: ${said}`);
	assert.ok(day <= 1_000_000, said);
	await phone.end();
});
