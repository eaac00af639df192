import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from './phone.mjs';

const isHeading = (page) => page.waitForFunction(() => document.activeElement?.tagName === 'H1');

test('a second tap on the same spot does nothing, and a failure looks like one', async () => {
	const phone = await new Phone().begin();
	const { page } = phone;
	await phone.open();
	await phone.connect('Tuva Lund');
	await phone.tapTwice('Start the day');
	await page.getByText('Open the next stop').waitFor();
	await page.getByRole('heading', { name: 'Today' }).waitFor();
	await phone.tapTwice('Open the next stop');
	await isHeading(page); // which a screen reader announces
	await page.getByText('To do', { exact: true }).waitFor();
	await phone.tapTwice('I have arrived');
	await page.getByText('Here', { exact: true }).waitFor();
	await phone.tapTwice('Picked up');
	await phone.told();
	await phone.tapTwice('Continue');
	await phone.tap('Open the next stop');
	await phone.tap('I have arrived');
	await phone.tap('Deliver', 'link');
	await page.getByRole('heading', { name: 'Deliver', exact: true }).waitFor();
	await page.getByRole('img', { name: 'Signature: empty' }).waitFor();
	await page.getByLabel("Recipient's name").fill('Per');
	await phone.tapTwice('Delivered');
	await phone.told();
	const undo = page.getByRole('button', { name: /^Undo/ });
	const goOn = page.getByRole('link', { name: 'Continue' });
	await undo.waitFor();
	const [small, large] = [await undo.boundingBox(), await goOn.boundingBox()];
	assert.ok(small.height < large.height && small.width < large.width / 1.5, 'Undo is smaller');
	assert.ok(large.y - (small.y + small.height) > 100, 'and not beside the button that goes on');
	assert.equal(await page.title(), 'Delivered · Waybill');
	await phone.waiting(0);
	assert.equal(await page.title(), 'Delivered · Waybill', 'what a screen reader was told stays true');
	await phone.tap('Continue');

	await phone.next();
	await phone.tap('I have arrived');
	await phone.tap("Can't deliver", 'link');
	await page.getByLabel('Closed, or nobody at home').check();
	await phone.tapTwice('Not delivered');
	await phone.told();
	await page.getByText('What now?').waitFor();
	await page.getByText('Keep the goods on board').waitFor();
	await phone.waiting(0);
	assert.notEqual(await page.locator('.mark path').getAttribute('d'), 'M5 13l4 4L19 7', 'no tick');
	await phone.look('not-delivered');
	await phone.end();
});
