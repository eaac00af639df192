import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeFor, office, Phone, revoke } from './phone.mjs';

const hour = 3600e3;

async function until(holds) {
	for (const end = Date.now() + 60_000; !holds(); ) {
		assert.ok(Date.now() < end, `waited in vain: ${holds}`);
		await new Promise((done) => setTimeout(done, 20));
	}
}

/** A photograph, as a camera would make one. */
async function photograph(page) {
	const bytes = await page.evaluate(async () => {
		const canvas = Object.assign(document.createElement('canvas'), { width: 2000, height: 1500 });
		const drawn = canvas.getContext('2d');
		drawn.fillStyle = '#2a6';
		drawn.fillRect(200, 300, 900, 700);
		const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
		return Array.from(new Uint8Array(await blob.arrayBuffer()));
	});
	return { name: 'door.png', mimeType: 'image/png', buffer: Buffer.from(bytes) };
}

async function sign(page) {
	const box = await page.locator('canvas').boundingBox();
	await page.mouse.move(box.x + 30, box.y + 60);
	await page.mouse.down();
	for (const [x, y] of [[70, 20], [110, 90], [150, 30], [220, 70]]) await page.mouse.move(box.x + x, box.y + y, { steps: 4 });
	await page.mouse.up();
}

test('a day on the phone, from connecting to the end, half of it without a network', async () => {
	const phone = await new Phone({ sees: 'DAY-1-P' }).begin();
	await phone.open(`enrol#c=${await codeFor('Nora Berg')}`);
	await phone.page.getByText('Nora Berg').waitFor();
	await phone.look('connect-is-it-you');
	await phone.tap('Connect');
	await phone.page.getByRole('heading', { name: 'Connected' }).waitFor();
	await phone.look('connected');
	await phone.tap(/^To today/);
	await phone.page.getByText('0 of 4 done').waitFor();
	await phone.installed();
	await phone.look('today-before');
	await phone.tap('Start the day');
	await phone.waiting(0);
	await phone.page.getByText('Open the next stop').waitFor();
	await phone.look('today');

	await phone.tap('Load', 'link');
	await phone.tap('Check by scanning');
	await phone.page.getByText('1 of 3 there').waitFor();
	await phone.page.getByRole('checkbox', { name: /Chair of DAY-2/ }).check();
	await phone.page.getByLabel('Why Chair of DAY-3 is missing').selectOption('damaged');
	await phone.look('load');
	await phone.tap('The load is checked');
	await phone.waiting(0);

	await phone.next();
	await phone.look('stop-pickup');
	await phone.tap('I have arrived');
	await phone.tap('Picked up');
	await phone.page.getByText('Undo').waitFor();
	await phone.page.getByRole('heading', { name: 'Sent' }).waitFor();
	await phone.look('sent');
	await phone.tap('Go on');

	await phone.tap('Open the next stop');
	await phone.page.getByRole('dialog').waitFor();
	await phone.look('stop-popup');
	await phone.understood();
	await phone.tap('I have arrived');
	await phone.look('stop-delivery');
	await phone.tap('Scan', 'link');
	await phone.page.getByText('1 of 1 scanned').waitFor();
	await phone.page.getByLabel('Type a code').fill('UNKNOWN-9');
	await phone.tap('Take this code');
	await phone.page.getByText('This code is not on any').waitFor();
	await phone.look('scan');
	await phone.tap('Keep it');
	await phone.tap('Done scanning');
	await phone.tap('Deliver', 'link');
	await phone.look('proof-in-person');
	await phone.page.getByLabel('Name of who takes it').fill('Kari Nordmann');
	await sign(phone.page);
	await phone.look('proof-signed');
	await phone.tap('Delivered', 'button');
	await phone.page.getByRole('heading', { name: 'Sent' }).waitFor();

	// Into the valley: the browser knows that there is no network, and the page is loaded anew in it.
	await phone.context.setOffline(true);
	phone.network.mode = 'deaf';
	await phone.tap('Go on');
	await phone.next();
	await phone.tap('I have arrived');
	await phone.tap('Deliver', 'link');
	await phone.page.getByLabel('Left without contact').check();
	await phone.page.locator('#photo').setInputFiles(await photograph(phone.page));
	await phone.page.getByAltText('Photo 1').waitFor();
	await phone.page.getByLabel('Where it was left').fill('Behind the shed');
	await phone.look('proof-contactless');
	await phone.tap('Delivered', 'button');
	await phone.page.getByRole('heading', { name: 'Kept on this phone' }).waitFor();
	await phone.look('kept');
	await phone.page.goto(`${phone.network.origin}/driver/`);
	await phone.waiting(2);
	await phone.page.getByText('3 of 4 done').waitFor();
	await phone.look('today-offline');
	await phone.next();
	await phone.tap('I have arrived');
	await phone.tap("Can't deliver", 'link');
	await phone.page.getByLabel('Refused', { exact: true }).check();
	await phone.tap('Say so');
	await phone.tap(/^Undo/);
	await phone.page.getByText('Here', { exact: true }).waitFor();
	await phone.understood();
	await phone.tap("Can't deliver", 'link');
	await phone.page.getByLabel('Closed, or nobody at home').check();
	await phone.look('cannot-deliver');
	await phone.tap('Say so');
	await phone.page.getByRole('heading', { name: 'Kept on this phone' }).waitFor();
	await phone.tap('Waiting', 'link');
	await phone.waiting(6);
	await phone.look('waiting');
	await phone.page.reload();
	await phone.waiting(6);

	await phone.context.setOffline(false);
	phone.network.mode = 'good';
	await phone.sendNow();
	await phone.waiting(0);
	await phone.page.getByText('Everything is sent').waitFor();
	await phone.tap('Today', 'link');
	await phone.tap('To the end of the day');
	await phone.page.getByText('To bring back').waitFor();
	await phone.look('day-done');
	await phone.tap('End the day');
	await phone.page.getByText('The day is over').waitFor();
	await phone.waiting(0);
	await phone.tap('Settings', 'link');
	await phone.look('settings');
	await phone.end();
});

test('answers that are lost are asked for again, by a clock that is wrong, and nothing is done twice', async () => {
	const late = new Date().getUTCHours() >= 12;
	const phone = await new Phone({ clock: late ? -hour : hour }).begin();
	await phone.open();
	await phone.connect('Jens Lie');
	await phone.tap('Start the day');
	await phone.waiting(0);
	phone.network.mode = 'lossy';
	await phone.pickUp();
	await phone.deliverTo('Per');
	const before = phone.network.asked;
	await until(() => phone.network.asked >= before + 3);
	assert.ok(await phone.page.evaluate(() => navigator.onLine), 'the browser believes itself online');
	phone.network.mode = 'good';
	await phone.tap('Waiting', 'link');
	await phone.waiting(0);
	await phone.deliverTo('Per');
	await phone.waiting(0);
	await phone.end();
});

test('a browser that is killed between any two steps loses nothing', async () => {
	const phone = await new Phone().begin();
	await phone.open();
	await phone.connect('Kari Moe');
	await phone.tap('Start the day');
	await phone.waiting(0);
	await phone.installed();
	await phone.restart(); // who was connected is on the disk by then
	await phone.open();
	const steps = [
		['deaf', () => phone.next().then(() => phone.tap('I have arrived'))],
		['holding', () => phone.next().then(() => phone.tap('Picked up'))],
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

test('what others did meanwhile is told, and a phone that was disconnected keeps what waits', async () => {
	const phone = await new Phone().begin();
	await phone.open();
	await phone.connect('Ola Vik');
	await phone.tap('Start the day');
	await phone.waiting(0);
	await phone.pickUp();
	await phone.waiting(0);
	phone.network.mode = 'deaf';
	await office('POST', '/v2/orders/cancel-orders', { externalIds: ['GONE-1'] });
	await phone.deliverTo('Per');
	await phone.tap('Waiting', 'link');
	await phone.waiting(2);
	phone.network.mode = 'good';
	await phone.sendNow();
	await phone.page.getByText('cancelled').first().waitFor();
	await phone.page.getByText('the office decides').first().waitFor();
	await phone.look('conflict');
	const understood = phone.page.getByRole('button', { name: 'Understood' });
	while (await understood.count()) await understood.first().click().catch(() => {});
	await phone.tap('Today', 'link');
	await phone.page.getByText('The route changed').click();
	await phone.page.getByText('No longer yours').first().waitFor();
	await phone.look('route-changed');
	await phone.tap('OK');

	await revoke('Ola Vik');
	await phone.deliverTo('Per');
	await phone.tap('Waiting', 'link');
	await phone.page.getByText('This phone is no longer connected').waitFor();
	await phone.look('stranger');
	await phone.connect('Ola Vik');
	await phone.waiting(0);
	await phone.end();
});

for (const [language, dark, size] of [['nb', true, 'normal'], ['da', false, 'larger']]) {
	test(`every screen is one for everybody in ${language}, ${dark ? 'dark' : 'light'}, ${size}`, async () => {
		const phone = await new Phone({ language, dark, size }).begin();
		await phone.open();
		await phone.page.locator('h1').waitFor();
		await phone.look(`${language}-connect`);
		await phone.page.locator('button.big').nth(1).click();
		await phone.look(`${language}-connect-phone`);
		await phone.page.goto('about:blank');
		await phone.open(`enrol#c=${await codeFor('Astrid Dahl')}`);
		await phone.page.getByText('Astrid Dahl').waitFor();
		await phone.page.locator('button.main').click();
		await phone.page.locator('li.card').first().waitFor();
		await phone.page.locator('button.main').last().click();
		await phone.page.locator('[data-visit]').first().waitFor();
		const visits = await phone.page.locator('[data-visit]').evaluateAll((all) => all.map((one) => one.dataset.visit));
		const paths = [
			'', 'changed', 'load', 'waiting', 'done', 'settings',
			...[visits[0], visits.at(-1)].flatMap((id) => ['', '/scan', '/proof', '/fail'].map((path) => `stop/${id}${path}`))
		];
		for (const path of paths) {
			await phone.open(path);
			await phone.look(`${language}-${path.replaceAll('/', '-') || 'today'}`);
		}
		await phone.end();
	});
}
