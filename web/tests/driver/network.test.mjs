import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone, until } from './phone.mjs';

const hour = 3600e3;

test('lost responses are requested again, also with a wrong clock, and nothing happens twice', async () => {
	const phone = await new Phone({ clock: -hour }).begin(); // it is about noon, so that the day is the same
	await phone.open();
	await phone.connect('Jens Lie');
	await phone.startDay();
	await phone.waiting(0);
	phone.network.mode = 'lossy';
	await phone.pickUp();
	await phone.deliverTo('Per');
	const before = phone.network.asked;
	await until(() => phone.network.asked >= before + 3);
	assert.ok(await phone.page.evaluate(() => navigator.onLine), 'the browser believes itself online');
	// A second window of the same phone does the next stop, and shows the first
	// one's unsent actions.
	const first = phone.page;
	await phone.window();
	await phone.open();
	await phone.deliverTo('Per');
	const both = await phone.page.locator('[data-waiting]').first().getAttribute('data-waiting');
	await first.locator(`[data-waiting="${both}"]`).waitFor();
	phone.network.mode = 'good';
	await phone.waiting(0);
	await first.locator('[data-waiting="0"]').waitFor();
	await phone.end();
});

test('killing the browser between any two steps loses nothing', async () => {
	const phone = await new Phone().begin();
	await phone.open();
	await phone.connect('Kari Moe');
	await phone.startDay();
	await phone.waiting(0);
	await phone.installed();
	await phone.restart(); // the previous driver is on the disk by then
	await phone.open();
	const steps = [
		['deaf', () => phone.next().then(() => phone.tap('I have arrived'))],
		['holding', () => phone.next().then(() => phone.tap('Picked up')).then(() => phone.told())],
		['holding', () => phone.deliverTo('Per')],
		['deaf', () => phone.deliverTo('Per')]
	];
	for (const [mode, step] of steps) {
		phone.network.mode = mode;
		const { asked } = phone.network;
		await step();
		await phone.page.locator('[data-waiting]:not([data-waiting="0"])').first().waitFor();
		if (mode === 'holding') await until(() => phone.network.asked > asked);
		await phone.kill();
		await phone.start();
		await phone.open();
	}
	phone.network.mode = 'good';
	await phone.page.reload();
	await phone.waiting(0);
	await phone.page.getByText('All stops are done').waitFor();
	await phone.end();
});

test('a phone sends its actions after 72 hours in a drawer', async () => {
	const phone = await new Phone({ clock: -72 * hour }).begin();
	phone.network.daysAgo = 3;
	await phone.open();
	await phone.connect('Siri Dal');
	await phone.installed();
	await phone.restart(); // the previous driver is on the disk by then
	await phone.open();
	phone.network.mode = 'deaf';
	await phone.startDay();
	await phone.pickUp();
	await phone.deliverTo('Per');
	await phone.next();
	await phone.arrive();
	await phone.tap("Can't deliver", 'link');
	await phone.page.getByLabel('Refused', { exact: true }).check();
	await phone.tap('Not delivered');
	await phone.page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
	await phone.waiting(9);
	await phone.kill();

	phone.clock = 0;
	phone.network.daysAgo = 0;
	await phone.start();
	await phone.open('waiting');
	await phone.page.getByText(/^9 waiting since \d+ \w+/).waitFor();
	await phone.look('waiting-since-days');
	phone.network.mode = 'good';
	await phone.sendNow();
	await phone.page.getByText('Everything is sent').waitFor();
	await phone.tap('Today', 'link');
	await phone.page.getByText('All stops are done').waitFor();
	await phone.end();
});
