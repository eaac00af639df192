// What administrators set for recipients. It compares the pages with the service.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, hindrances, open, until, visit } from './browser.mjs';

after(() => browser.close());

const pageOf = async (context) => (await call(context, 'GET', '/v1/organization')).recipient_page;

test('administrators set how recipients see the organization, and what they may do', async () => {
	const { page, context, close } = await open('admin');
	await visit(page, 'settings/organization');
	const form = page.getByRole('region', { name: 'For recipients' });
	const save = () => form.getByRole('button', { name: 'Save' }).click();
	await form.getByLabel('Color').fill('green');
	await save();
	await form.locator('.wrong').first().waitFor();
	assert.equal(await pageOf(context), null, 'nothing is saved of a wrong color');
	await form.getByLabel('Color').fill('#0A6B4F');
	await form.getByLabel('Phone number').fill('+47 22 00 00 00');
	await form.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('iVBORw0KGgo=', 'base64') });
	const instructions = form.getByRole('group', { name: 'Instructions for the driver' });
	await instructions.getByLabel('Allowed').check();
	await instructions.getByLabel('Minutes before the expected time').fill('30');
	await form.getByRole('group', { name: 'Rating' }).getByLabel('Allowed').check();
	await form.getByRole('button', { name: 'Remove the logo' }).waitFor();
	assert.deepEqual(await hindrances(page), []);
	await save();
	await until('the organization has it', async () => (await pageOf(context))?.color === '#0A6B4F');
	const said = await pageOf(context);
	assert.deepEqual(said.actions, { instructions: { minutes_before: 30 }, rating: { days: 14 } });
	assert.equal(said.logo, 'data:image/png;base64,iVBORw0KGgo=');

	await visit(page, 'settings/organization');
	assert.equal(await instructions.getByLabel('Minutes before the expected time').inputValue(), '30');
	await form.getByRole('button', { name: 'Remove the logo' }).click();
	await form.getByRole('group', { name: 'Rating' }).getByLabel('Allowed').uncheck();
	await instructions.getByLabel('Minutes before the expected time').fill('');
	await save();
	await until('the logo is gone', async () => !(await pageOf(context)).logo);
	assert.deepEqual((await pageOf(context)).actions, { instructions: {} });
	await close();
});
