// Messages with the office: read, answered with one tap, and never lost or doubled without a connection.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drivers, office, Phone, until } from './phone.mjs';

const day = process.env.WAYBILL_DAY;
const driverId = drivers['Tora Falk'];
const path = `/v2/plans/${day}/messages`;
const tell = (text) => office('POST', path, { driverIds: [driverId], text }, true);
const read = async () => (await office('GET', `${path}?driverId=${driverId}`, undefined, true)).items;
const textsAtOffice = async () => (await read()).map(({ from, text }) => `${from} ${text}`);

test('a driver reads a message at once, answers with a tap, and writes without a connection', async () => {
	const phone = await new Phone().begin();
	await phone.open();
	await phone.connect('Tora Falk');
	await phone.tap('Messages', 'link');
	await phone.page.getByText('No messages yet.').waitFor();
	await phone.look('no-messages');
	await phone.tap('Back', 'link');

	await tell('Bridge closed, use E18.');
	const notice = phone.page.getByRole('alert').filter({ hasText: '1 new message' });
	await notice.getByText('Bridge closed, use E18.').waitFor();
	assert.ok(await phone.page.evaluate(() => globalThis.felt.some((pattern) => Array.isArray(pattern) && pattern.length === 5)), 'it rings');
	await phone.page.getByRole('link', { name: 'Messages 1 new message' }).waitFor();
	await phone.tap('Waiting', 'link');
	await notice.waitFor(); // it is on every screen
	await phone.look('new-message');
	assert.equal((await read())[0].readAt, null);
	await notice.getByRole('link').click();
	await phone.page.getByRole('heading', { name: 'Messages' }).waitFor();
	await until(async () => (await read())[0].readAt !== null);
	await phone.tap('On my way');
	await until(async () => (await textsAtOffice()).includes('DRIVER On my way'));

	// The answer to a message is lost again and again, and then there is no connection at all.
	await phone.waiting(0);
	phone.network.mode = 'lossy';
	const late = phone.page.getByRole('listitem').filter({ hasText: 'Running late' });
	await until(async () => {
		await phone.tap('Running late'); // a busy browser can lose a tap; one that counts is shown long before the next
		return late.waitFor({ timeout: 15_000 }).then(() => true, () => false);
	});
	await phone.page.getByText('waiting', { exact: true }).waitFor();
	await until(async () => (await textsAtOffice()).includes('DRIVER Running late'));
	phone.network.mode = 'deaf';
	const field = phone.page.getByLabel('Message to the office');
	await field.fill('In the tunnel');
	await until(async () => {
		// A button that has just appeared takes no tap.
		await phone.page.getByRole('button', { name: 'Send', exact: true }).click({ timeout: 1000 }).catch(() => {});
		return (await field.inputValue()) === '';
	});
	await phone.waiting(2);
	await phone.look('waiting-messages');
	await phone.restart();
	await phone.open('messages');
	await phone.waiting(2);
	await phone.page.getByText('In the tunnel').waitFor();
	phone.network.mode = 'good';
	await phone.open('waiting');
	await phone.page.getByText('2 messages wait.').or(phone.page.getByText('Everything is sent.')).first().waitFor();
	await phone.sendNow();
	await phone.waiting(0);
	const sent = (await textsAtOffice()).filter((text) => text.startsWith('DRIVER'));
	assert.deepEqual(sent, ['DRIVER In the tunnel', 'DRIVER Running late', 'DRIVER On my way']);
	await phone.end();
});
