import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from './phone.mjs';

const codes = Array.from({ length: 9 }, (_, at) => `SPEED-${at + 1}-P`);

test('a load is scanned as fast as parcels pass the camera', async (t) => {
	const phone = await new Phone({ sees: codes }).begin();
	const { page } = phone;
	await phone.open();
	await phone.connect('Runa Skog');
	await phone.startDay();
	await phone.tap('Load', 'link');
	// What is delivered last is loaded first, and says where it goes.
	const goods = page.locator('section.card');
	await goods.nth(8).waitFor();
	assert.match(await goods.first().innerText(), /Stop 10 · Kari Nordmann[^]*SPEED-9[^]*SPEED-9-P/);
	assert.match(await goods.last().innerText(), /Stop 2 · Kari Nordmann[^]*SPEED-1/);
	await phone.tap('Check by scanning');
	await page.getByText(/^[1-9] of 9 found/).waitFor();
	const [began, had] = [Date.now(), Number((await page.getByText(/^\d of 9 found/).innerText())[0])];
	await page.getByText('9 of 9 found').waitFor();
	const took = (Date.now() - began) / 1000;
	t.diagnostic(`${((9 - had) / took).toFixed(1)} codes a second`);
	assert.ok(took < 12, `${took} s`); // 3 s, on a machine that does nothing else
	await page.getByRole('status').filter({ hasText: 'Chair of SPEED' }).waitFor();
	assert.ok(await page.evaluate(() => globalThis.felt.includes(60)), 'the phone vibrates');
	await phone.tap('Turn off the camera');
	await page.locator('video').waitFor({ state: 'detached' });
	await phone.look('load-scanned');
	await phone.end();
});

test('a parcel of another load is told clearly', async () => {
	const phone = await new Phone({ sees: 'WRONG-1' }).begin();
	const { page } = phone;
	await phone.open();
	await phone.connect('Runa Skog');
	await phone.tap('Load', 'link');
	await phone.tap('Check by scanning');
	await page.getByRole('alert').getByText('Not for this load').waitFor();
	await page.getByRole('alert').getByText('WRONG-1').waitFor();
	assert.ok(await page.evaluate(() => globalThis.felt.some((pattern) => String(pattern) === '80,60,80')), 'by vibration as well');
	await phone.look('load-wrong');
	await phone.end();
});
