// What administrators and dispatchers keep up: people, keys, drivers and master data.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, open, until, visit } from './browser.mjs';

after(() => browser.close());

test('a key is shown once, works, is replaced and is revoked', async () => {
	const { page, context, close } = await open('admin');
	await visit(page, 'settings/keys');
	await page.getByRole('button', { name: 'Make a key' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name').fill('The warehouse');
	await dialog.getByRole('button', { name: 'Make a key' }).click();
	const key = await dialog.locator('code').innerText();
	const called = () => context.request.get('/v1/orders/count', { headers: { Authorization: `apikey ${key}`, Cookie: '' } });
	assert.equal((await called()).status(), 200);
	await dialog.getByRole('button', { name: 'I have kept it' }).click();
	assert.ok(!(await page.content()).includes(key), 'the key is shown again');

	await page.getByRole('button', { name: 'Replace: The warehouse' }).click();
	await dialog.getByRole('button', { name: 'Replace' }).click();
	await dialog.getByRole('button', { name: 'I have kept it' }).click();
	const old = page.getByRole('row', { name: /The warehouse.*Ending/ });
	await old.getByRole('button', { name: 'Revoke' }).click();
	await dialog.getByRole('button', { name: 'Revoke' }).click();
	await page.getByRole('row', { name: /The warehouse.*Revoked/ }).waitFor();
	await until('the key is refused', async () => (await called()).status() === 401);
	await close();
});

test('somebody is invited, and disabled', async () => {
	const { page, close } = await open('admin');
	await visit(page, 'settings/people');
	await page.getByRole('button', { name: 'Invite somebody' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name').fill('Per Vik');
	await dialog.getByLabel('Email').fill('per.vik@post.example');
	await dialog.getByLabel('Support').check();
	await dialog.getByRole('button', { name: 'Send the invitation' }).click();
	await page.getByRole('heading', { name: 'Per Vik', level: 1 }).waitFor();
	await page.getByRole('main').getByText('Invited').waitFor();
	await page.getByRole('button', { name: 'Disable' }).click();
	await dialog.getByRole('button', { name: 'Disable' }).click();
	await page.getByRole('button', { name: 'Enable' }).waitFor();
	await close();
});

test('a workday of a driver is changed and taken away', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'drivers/1');
	const day = page.getByRole('list').filter({ hasText: '–' }).getByRole('button').last();
	await day.click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Works on this day').check();
	await dialog.getByLabel('Begins', { exact: true }).fill('08:15');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('button', { name: /08:15/ }).last().click();
	await dialog.getByLabel('Works on this day').uncheck();
	await dialog.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Off', { exact: true }).last().waitFor();
	await close();
});

test('what is wrong with a field stands at the field, and what was changed is kept', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'data/vehicles/1');
	const weight = page.getByLabel('Weight at most, kg');
	const wanted = String(1000 + (Date.now() % 1000));
	await weight.fill('-5');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('alert').getByText(/^Request [0-9a-f]/).waitFor();
	assert.equal(await weight.getAttribute('aria-invalid'), 'true');
	await weight.fill(wanted);
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Saved.').waitFor();
	await page.reload();
	await until('the weight is kept', async () => (await weight.inputValue()) === wanted);
	await close();
});

test('a rule of messages is previewed, made and taken out of use', async () => {
	const { page, close } = await open('admin');
	await visit(page, 'settings/rules/new');
	await page.getByLabel(/^When\W*$/).selectOption('ORDER_FAILED');
	await page.getByLabel(/^By\W*$/).selectOption('SMS');
	await page.getByLabel(/^To\W*$/).selectOption('PICKUP_CONTACTS');
	await page.getByLabel(/^Text\W*$/).fill('{{ contact.firstName }}: {{ order');
	await page.getByRole('button', { name: 'Preview' }).click();
	await page.getByRole('alert').waitFor();
	await page.getByLabel(/^Text\W*$/).fill('{{ contact.firstName }}: {{ order.externalId }} did not get there');
	await page.getByRole('button', { name: 'Preview' }).click();
	await page.getByText('Nora: A-1001 did not get there').waitFor();
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('heading', { name: 'The order failed · Text message' }).waitFor();
	await page.getByLabel('In use').uncheck();
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Saved.').last().waitFor();
	await close();
});

test('what somebody may not change cannot be changed, and who may is said', async () => {
	const { page, close } = await open('support');
	await visit(page, 'data/customers/1');
	await page.getByText('Only these may change this: Administrator.').waitFor();
	assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
	assert.ok(await page.getByLabel('Email').isDisabled());
	await close();
});
