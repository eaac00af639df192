import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from './phone.mjs';

test('required proof is announced and enforced, online and offline', async () => {
	const phone = await new Phone().begin();
	const { page } = phone;
	const says = (text) => page.getByText(text, { exact: true }).first().waitFor();
	const done = (name) => page.getByRole('button', { name, exact: true });
	await phone.open();
	await phone.connect('Tor Aas');
	await phone.startDay();
	await phone.pickUp();

	await phone.next();
	await says('If handed to someone: the name, a signature');
	await says('If left without contact: a photo, a comment');
	await says("If it can't be done: a photo");
	await phone.look('rules-stop');
	await phone.tap('I have arrived');
	await phone.tap('Deliver', 'link');
	await says('Required: the name, a signature.');
	await says('Missing: a signature.'); // as the contact is the recipient, unless another name is entered
	await page.getByLabel("Recipient's name").fill('Per');
	await says('Missing: a signature.');
	assert.ok(await done('Delivered').isDisabled());
	await phone.sign();
	await says('The office also wants: a photo. You can skip this.');
	await phone.look('rules-proof');
	await phone.tap('Delivered, skip this');
	await phone.told();

	await phone.next();
	await phone.tap('I have arrived');
	await phone.tap('Deliver', 'link');
	await page.getByLabel('Left without contact').check();
	await says('Missing: a photo, a comment.');
	assert.equal(await page.locator('canvas').count(), 0, 'nobody signs where nobody is');
	await phone.photograph();
	await says('Missing: a comment.');
	await page.getByLabel('Where you left it').fill('In the shed');
	await phone.tap('Delivered', 'button');
	await phone.told();
	await phone.waiting(0);

	phone.network.mode = 'deaf';
	await phone.next();
	await phone.tap('I have arrived');
	await phone.tap("Can't deliver", 'link');
	await says('Required: a photo.');
	await page.getByLabel('Closed, or nobody at home').check();
	await says('Missing: a photo.');
	assert.ok(await done('Not delivered').isDisabled());
	await phone.photograph();
	await phone.look('rules-fail');
	await phone.tap('Not delivered');
	await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
	await phone.tap('Waiting', 'link');
	await page.getByText('1 picture').first().waitFor();
	await phone.restart();
	phone.network.mode = 'good';
	await phone.open('waiting');
	await phone.sendNow();
	await phone.page.getByText('Everything is sent').waitFor();
	await phone.page.getByText('1 picture').first().waitFor({ state: 'hidden' });
	await phone.end();
});
