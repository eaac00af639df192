// What administrators and dispatchers keep up: people, keys, drivers and master data.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, hindrances, open, visit } from './browser.mjs';

after(() => browser.close());

/** The pages of each role. */
const pagesOf = {
	admin: [
		'settings/people',
		'settings/people/1',
		'settings/roles',
		'settings/roles/new',
		'settings/keys',
		'settings/providers/new',
		'settings/flags',
		'settings/rules',
		'settings/rules/new',
		'settings/messaging',
		'settings/carriers',
		'settings/organization',
		'data/vehicles',
		'data/vehicles/1',
		'data/price-lists/1',
		'data/custom-fields/new',
		'activity',
		'account'
	],
	dispatcher: ['drivers', 'drivers/1', 'drivers/new', 'data/customers/1'],
	support: ['drivers/1', 'data/locations/1', 'activity']
};

for (const [language, theme] of [
	['en', 'light'],
	['nb', 'dark'],
	['da', 'light']
]) {
	test(`nothing on the pages of settings hinders anybody, in ${language} and ${theme}`, async () => {
		for (const [role, paths] of Object.entries(pagesOf)) {
			const { page, close } = await open(role, { language, theme });
			for (const path of paths) {
				await visit(page, path);
				assert.deepEqual(await hindrances(page), [], `${path} as ${role}`);
			}
			await close();
		}
	});
}

test('every page of settings fits on a narrow screen', async () => {
	for (const [role, paths] of Object.entries(pagesOf)) {
		const { page, close } = await open(role, { width: 320, height: 700, language: 'nb' });
		for (const path of paths) {
			await visit(page, path);
			const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			assert.ok(over <= 0, `${path} is ${over} pixels too wide`);
		}
		await close();
	}
});

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
	await page.getByLabel('When').selectOption('ORDER_FAILED');
	await page.getByLabel('By', { exact: true }).selectOption('SMS');
	await page.getByLabel('To', { exact: true }).selectOption('PICKUP_CONTACTS');
	await page.getByLabel('Text', { exact: true }).fill('{{ contact.firstName }}: {{ order');
	await page.getByRole('button', { name: 'Preview' }).click();
	await page.getByRole('alert').waitFor();
	await page.getByLabel('Text', { exact: true }).fill('{{ contact.firstName }}: {{ order.externalId }} did not get there');
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

async function until(what, holds) {
	for (const end = Date.now() + 20_000; !(await holds()); ) {
		assert.ok(Date.now() < end, what);
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}
