import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from './phone.mjs';

const isHeading = (page) => page.waitForFunction(() => document.activeElement?.tagName === 'H1');

test('a second tap on the same spot does nothing, and a failure looks like one', async () => {
	const phone = await new Phone().begin();
	const { page } = phone;
	await phone.open();
	await phone.connect('Tuva Lund');
	await phone.stand(59.912); // so that no arrival is proposed
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
	await page.getByText('To do', { exact: true }).waitFor();
	await phone.understood();
	await phone.tap('I have arrived');
	await phone.tap('Deliver', 'link');
	await page.getByRole('heading', { name: 'Deliver', exact: true }).waitFor();
	await page.getByRole('img', { name: 'Signature: empty' }).waitFor();
	await page.getByLabel("Recipient's name").fill('Per');
	await phone.tapTwice('Delivered');
	await phone.told();
	await phone.understood();
	const undo = page.getByRole('button', { name: /^Undo/ });
	const goOn = page.locator('.deck .main');
	await undo.waitFor();
	await page.getByRole('status').filter({ hasText: 'Delivered' }).waitFor(); // which a screen reader announces
	const [small, large] = [await undo.boundingBox(), await goOn.boundingBox()];
	assert.ok(small.height < large.height && small.width < large.width / 1.5, 'Undo is smaller');
	assert.ok(large.y - (small.y + small.height) > 100, 'and not beside the button that goes on');
	await phone.look('after-a-delivery');
	await phone.waiting(0);

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

test('each kind of step takes few taps, from the screen of a stop to that of the next', async (t) => {
	const phone = await new Phone().begin();
	const { page } = phone;
	await phone.open();
	await phone.connect('Odd Krohn');
	await phone.startDay();
	await phone.next();
	const taps = () => page.evaluate(() => globalThis.taps);
	/** Does a step at the stop that is shown, and counts its taps until the next stop is shown. */
	async function atMost(most, kind, step) {
		await page.locator('.word.go').filter({ hasText: 'Here since' }).waitFor();
		const [before, at] = [await taps(), page.url().split('?')[0]];
		const camera = (await step()) ?? 0;
		await page.waitForFunction((last) => !location.href.startsWith(last) && document.querySelector('h2#place'), at);
		const count = (await taps()) - before + camera;
		t.diagnostic(`${kind}: ${count} taps`);
		assert.ok(count <= most, `${kind}: ${count} taps`);
		assert.ok(count > 0);
	}

	await atMost(2, 'pickup', () => phone.tap('Picked up'));
	await atMost(3, 'delivery with the name of the contact', async () => {
		await phone.tap('Deliver', 'link');
		await phone.tap('Delivered to Kari Nordmann');
	});
	await phone.look('next-stop');
	await atMost(4, 'delivery with a signature', async () => {
		await phone.tap('Deliver', 'link');
		await phone.sign();
		await phone.tap('Delivered to Kari Nordmann');
	});
	await atMost(4, 'delivery with a photo', async () => {
		await phone.tap('Deliver', 'link');
		await phone.photograph();
		await phone.tap('Delivered to Kari Nordmann');
		return 1; // which opens the camera
	});
	await atMost(3, 'delivery without contact', async () => {
		await phone.tap('Left without contact', 'link');
		await phone.photograph();
		await phone.tap('Delivered', 'button');
		return 1;
	});
	await atMost(4, 'failure', async () => {
		await phone.tap("Can't deliver", 'link');
		await page.getByLabel('Closed, or nobody at home').check();
		await phone.tap('Not delivered');
		await phone.tap('Continue', 'link');
	});
	await phone.stand(59.912); // without a position that says so, an arrival is one more
	await page.getByText('Here since').waitFor({ state: 'hidden' });
	await phone.tap('I have arrived');
	await phone.tapTwice('Deliver');
	await phone.tapTwice('Delivered to Kari Nordmann');
	await page.getByText('All stops are done').or(page.getByRole('heading', { name: /^(Sent|Saved)/ })).first().waitFor();
	await phone.waiting(0);
	await phone.end();
});
