import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from './phone.mjs';

/** How many parts of drafts the phone keeps. */
const drafts = (page) => page.evaluate(() => new Promise((done, failed) => {
	const opened = indexedDB.open('waybill-driver');
	opened.onerror = failed;
	opened.onsuccess = () => {
		const keys = opened.result.transaction('kept').objectStore('kept').getAllKeys();
		keys.onsuccess = () => (opened.result.close(), done(keys.result.filter((key) => key.includes('/draft/')).length));
	};
}));

/** Waits until a part of a form is kept on the phone as it should be: the phone writes after the screen shows it. */
async function isKept(page, part, holds) {
	const parts = () => page.evaluate((part) => new Promise((done, failed) => {
		const opened = indexedDB.open('waybill-driver');
		opened.onerror = failed;
		opened.onsuccess = () => {
			const store = opened.result.transaction('kept').objectStore('kept');
			const keys = store.getAllKeys();
			const values = store.getAll();
			values.onsuccess = () => {
				opened.result.close();
				done(JSON.stringify(values.result.filter((_, i) => keys.result[i].includes('/draft/') && keys.result[i].endsWith(part))));
			};
		};
	}), `/${part}`);
	while (!JSON.parse(await parts()).some(holds)) await page.evaluate(() => new Promise(requestAnimationFrame));
}

test('input is kept until it is sent', async () => {
	const phone = await new Phone().begin();
	let { page } = phone;
	const filled = async () => {
		await page.getByAltText('Photo 1').waitFor();
		assert.ok(await page.getByLabel('Left without contact').isChecked());
		assert.equal(await page.getByLabel('Where you left it').inputValue(), 'Behind the shed');
		await page.getByText('Some goods were refused').click();
		assert.equal(await page.getByLabel('Quantity refused').inputValue(), '1');
		assert.equal(await page.getByLabel('Why were they refused?').inputValue(), 'not_ordered');
	};
	await phone.open();
	await phone.connect('Siv Moen');
	await phone.startDay();
	await phone.pickUp();
	await phone.next();
	await phone.arrive();
	await phone.tap('Deliver', 'link');
	await page.getByLabel('Left without contact').check();
	await phone.photograph();
	await page.getByLabel('Where you left it').fill('Behind the shed');
	await page.getByText('Some goods were refused').click();
	await page.getByRole('button', { name: 'More' }).click();
	await page.getByLabel('Why were they refused?').selectOption('not_ordered');
	await isKept(page, 'said', (said) => said.why === 'not_ordered');

	await page.reload();
	await filled();
	await page.getByRole('link', { name: 'Back' }).click();
	await phone.tap('Scan', 'link');
	await page.getByLabel('Type a code').fill('DRAFT-1-P');
	await phone.tap('Use this code');
	await phone.tap('Done scanning');
	await phone.tap('Deliver', 'link');
	await filled();
	await page.getByLabel('Handed to someone').check();
	await page.getByLabel("Recipient's name").fill('Kari');
	await phone.sign();
	await page.getByRole('img', { name: 'Signature: signed' }).waitFor();
	await isKept(page, 'strokes', (strokes) => strokes.length);
	await page.reload();
	await page.getByRole('img', { name: 'Signature: signed' }).waitFor();
	assert.equal(await page.getByLabel("Recipient's name").inputValue(), 'Kari');
	await page.getByText('Some goods were refused').click();
	await page.getByRole('button', { name: 'Fewer' }).click();
	await phone.look('draft');
	await phone.tap('Delivered', 'button');
	await phone.told();
	assert.equal(await drafts(page), 0, 'what was sent is no draft any more');

	await phone.next();
	await phone.arrive();
	const at = page.url();
	await phone.tap('Deliver', 'link');
	await page.getByLabel("Recipient's name").fill('Nobody');
	await phone.tap('Back', 'link');
	await phone.tap("Can't deliver", 'link');
	await page.getByLabel('Another reason (comment)').check();
	await page.getByLabel('Comment', { exact: true }).fill('A dog');
	await phone.photograph();
	await isKept(page, 'pictures', (pictures) => pictures.length);
	await phone.restart();
	({ page } = phone);
	await page.goto(`${at}/fail`);
	await page.getByAltText('Photo 1').waitFor();
	assert.ok(await page.getByLabel('Another reason (comment)').isChecked());
	assert.equal(await page.getByLabel('Comment', { exact: true }).inputValue(), 'A dog');
	await phone.tap('Not delivered');
	await phone.told();
	await phone.waiting(0);
	await page.reload();
	await page.locator('h1').waitFor();
	while (await drafts(page)) await page.evaluate(() => new Promise(requestAnimationFrame)); // that of a delivery goes as well
	await phone.end();
});
