// Freights, barcodes, labels and load carriers: what belongs to goods on their way.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { browser, call, open, until, visit } from './browser.mjs';

after(() => browser.close());

const balanceOf = async (context, customer, code) => {
	const { items } = await call(context, 'GET', `/v2/cargo-carrier-accounts?customerId=${customer}`);
	return items.find((account) => account.cargoCarrier.code === code)?.balance ?? 0;
};

test('an administrator adds a kind of load carrier and deactivates it', async () => {
	const { page, context, close } = await open('admin');
	await visit(page, 'load-carriers/kinds');
	const dialog = page.getByRole('dialog');
	await page.getByRole('button', { name: 'New type' }).click();
	await dialog.getByLabel('Code').fill('ROLL');
	await dialog.getByLabel('Name').fill('Roll cage');
	await dialog.getByLabel('Value of one').fill('many');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.getByRole('alert').waitFor();
	await dialog.getByLabel('Value of one').fill('850,50');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('cell', { name: 'Roll cage', exact: true }).waitFor();
	const kinds = async () => (await call(context, 'GET', '/v2/cargo-carriers')).items;
	assert.equal((await kinds()).find(({ code }) => code === 'ROLL').unitValue, '850.50');
	await page.getByRole('button', { name: 'Change: Roll cage' }).click();
	await dialog.getByLabel('Active').uncheck();
	await dialog.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('row').filter({ hasText: 'Roll cage' }).getByText('Inactive', { exact: true }).waitFor();
	assert.equal((await kinds()).find(({ code }) => code === 'ROLL').isActive, false);
	await close();
});

test('a movement of load carriers is recorded once despite a lost response, and is reversed', async () => {
	const { page, context, close } = await open('dispatcher');
	const before = await balanceOf(context, 1, 'EUR1');
	await visit(page, 'load-carriers?customer=1');
	await page.getByRole('link', { name: 'EUR pallet' }).click();
	await page.getByRole('heading', { level: 1, name: /EUR pallet/ }).waitFor();
	const dialog = page.getByRole('dialog');
	await page.getByRole('button', { name: 'New movement' }).click();
	await dialog.getByLabel('Returned').check();
	await dialog.getByLabel('Quantity *').fill('5');
	await dialog.getByLabel('Order').fill('NO-SUCH-ORDER');
	await dialog.getByRole('button', { name: 'Record' }).click();
	await dialog.getByRole('alert').waitFor();
	assert.equal(await balanceOf(context, 1, 'EUR1'), before, 'an order that is not there moves nothing');
	await dialog.getByLabel('Order').fill('FREIGHT-1');
	await dialog.getByLabel('Signed by').fill('Per Vik');
	await page.route('**/v2/cargo-carrier-movements', async (route) => {
		await route.fetch();
		await route.abort();
	}, { times: 1 });
	await dialog.getByRole('button', { name: 'Record' }).click();
	await dialog.getByRole('alert').waitFor();
	assert.equal(await balanceOf(context, 1, 'EUR1'), before - 5, 'it arrived, and only its answer is lost');
	await dialog.getByRole('button', { name: 'Record' }).click();
	await page.getByText('Movement recorded.').waitFor();
	assert.equal(await balanceOf(context, 1, 'EUR1'), before - 5, 'sent again, it counts once');

	const row = page.getByRole('row').filter({ hasText: 'Per Vik' });
	await row.getByRole('button', { name: /^Reverse/ }).click();
	await dialog.getByLabel('Reason').fill('Counted twice');
	await dialog.getByRole('button', { name: 'Reverse' }).click();
	await row.getByText('Reversed').waitFor();
	await page.getByRole('row').filter({ hasText: 'Counted twice' }).getByText('Reverses another movement').waitFor();
	assert.equal(await balanceOf(context, 1, 'EUR1'), before);
	await close();
});

test('read-only users cannot change load carriers, and find them at the customer', async () => {
	const { page, close } = await open('support');
	await visit(page, 'data/customers/1');
	const card = page.locator('section', { has: page.getByRole('heading', { name: 'Load carriers' }) });
	await card.getByRole('link', { name: 'EUR pallet' }).click();
	await page.getByRole('table').getByText('Kari Nordmann').waitFor();
	assert.equal(await page.getByRole('button', { name: /Reverse|New movement/ }).count(), 0);
	await close();
});

test('a freight is found by its number, has its orders and totals, and its orders lead to it', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'freights');
	await page.getByLabel('Freight number').fill('NO-SUCH');
	await page.keyboard.press('Enter');
	await page.getByText('Nothing matches').waitFor();
	await page.getByLabel('Freight number').fill('F-7711');
	await page.keyboard.press('Enter');
	await page.waitForURL('**/freights?number=F-7711');
	await page.getByRole('link', { name: 'F-7711' }).click();
	await page.getByText('250 kg').waitFor();
	const orders = page.getByRole('table').getByRole('link', { name: /^FREIGHT-/ });
	await until('both of its orders are there', async () => (await orders.count()) === 2);
	await page.getByRole('link', { name: 'FREIGHT-1' }).click();
	await page.getByRole('heading', { level: 1, name: /FREIGHT-1/ }).waitFor();
	await page.getByRole('link', { name: 'F-7711' }).click();
	await page.getByRole('heading', { level: 1, name: 'Freight F-7711' }).waitFor();
	await close();
});

test('a barcode is found by the search with its order and scans, and the next can be scanned', async () => {
	const { page, close } = await open('support');
	await visit(page, 'orders');
	await page.keyboard.press('/');
	await page.keyboard.type('00106141412345678908');
	await page.keyboard.press('Enter');
	await page.getByRole('link', { name: '106141412345678908' }).click();
	await page.getByRole('heading', { name: 'Pallet' }).waitFor();
	await page.getByRole('row').filter({ hasText: 'At the terminal' }).waitFor();
	await page.getByRole('link', { name: /FREIGHT-1/ }).waitFor();
	await page.getByLabel('Barcode').fill('NOTHING-HAS-THIS');
	await page.keyboard.press('Enter');
	await page.getByText('No goods with the barcode NOTHING-HAS-THIS').waitFor();
	await until('the field is ready for the next', () =>
		page.evaluate(() => document.activeElement.value === getSelection().toString() || document.activeElement.selectionEnd > 0));
	await page.keyboard.type('106141412345678908');
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { name: 'Pallet' }).waitFor();
	await close();
});

test('labels of chosen orders are drawn as a PDF and for a label printer', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders?q=FREIGHT-');
	await page.getByRole('checkbox', { name: 'Select FREIGHT-1' }).check();
	await page.getByRole('button', { name: 'Labels for one order' }).click();
	const dialog = page.getByRole('dialog');
	const drawn = async () => {
		const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Create labels' }).click()]);
		return { name: file.suggestedFilename(), content: readFileSync(await file.path(), 'latin1') };
	};
	const paper = await drawn();
	assert.equal(paper.name, 'labels.pdf');
	assert.ok(paper.content.startsWith('%PDF-'));
	await page.getByRole('button', { name: 'Labels for one order' }).click();
	await dialog.getByLabel('File format').selectOption('ZPL');
	await dialog.getByLabel('What to label').selectOption('COLLI');
	const printer = await drawn();
	assert.equal(printer.name, 'labels.zpl');
	assert.match(printer.content, /^\^XA[^]*106141412345678908[^]*\^XZ/);
	await close();
});
