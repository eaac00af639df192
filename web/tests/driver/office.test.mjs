import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, day, open, until, visit } from '../browser.mjs';

// The actions of the other tests' drivers, as their office sees them.
const orders = JSON.parse(process.env.WAYBILL_ORDERS);

after(() => browser.close());

/** Waits for texts that appear on a page once the relay has processed the log. */
async function shows(page, path, texts) {
	let missing = texts;
	await until(`${path} shows ${texts}`, async () => {
		await visit(page, path);
		const said = await page.locator('main').innerText();
		missing = texts.filter((text) => !said.includes(text));
		return missing.length === 0;
	}).catch((error) => assert.fail(`${error.message}, but not ${missing}`));
}

test('the console shows the result and the proof of each order', async () => {
	const { page, close } = await open('dispatcher');
	await shows(page, `orders/${orders['DAY-1']}`, ['Delivered', 'Kari Nordmann', 'Nora Berg', 'Unchanged since']);
	await until('the signature is there', () => page.getByAltText('Signature').evaluate((one) => one.naturalWidth > 0));
	await shows(page, `orders/${orders['DAY-2']}`, ['Delivered', 'Behind the shed', 'Unchanged since']);
	await until('the photo is there', () => page.getByAltText(/Picture 1/).evaluate((one) => one.naturalWidth > 0));
	await shows(page, `orders/${orders['DAY-3']}`, ['Failed', 'Closed, or nobody at home']);
	await shows(page, `orders/${orders['GOODS-3']}`, ['Failed', 'Goods missing', '1 missing', 'Was not there', 'Reported by Liv Sand']);
	await shows(page, `orders/${orders['GOODS-2']}`, ['Failed']);
	await shows(page, `orders/${orders['RULE-3']}`, ['Failed', 'Closed, or nobody at home']);
	await until('why is pictured', () => page.getByAltText('Picture 1 of the failure').evaluate((one) => one.naturalWidth > 0));
	await shows(page, `orders/${orders['DRAWER-1']}`, ['Delivered', 'Per', 'Siri Dal']);
	await shows(page, `orders/${orders['GONE-1']}`, ['Cancelled', 'Delivered after cancellation']);
	await close();
});

test('the console shows contradictions between drivers and office', async () => {
	const { page, close } = await open('dispatcher');
	await shows(page, `day/${day}?only=exceptions`, [
		'GONE-1', 'Delivered after cancellation',
		'GOODS-2', 'Refused', 'GOODS-3', 'Goods missing', 'BOTH-1', 'Two phones',
		'MOVED-1', "Another driver's order",
		'MOVED-2', 'Reported after the end'
	]);
	await close();
});
