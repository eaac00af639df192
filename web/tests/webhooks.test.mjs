// Webhook endpoints: administrators maintain them, and inspect failures.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { browser, hindrances, open, settled, until, visit } from './browser.mjs';

const receiver = createServer(async (request, response) => {
	let body = '';
	for await (const part of request) body += part;
	receiver.got.push({ body, headers: request.headers });
	response.writeHead(receiver.status).end('{"said":"by the receiver"}');
});
receiver.got = [];
receiver.status = 500;
await new Promise((listening) => receiver.listen(0, '127.0.0.1', listening));

after(async () => {
	receiver.close();
	await browser.close();
});

/** Reports whether a message is signed with a secret. */
function signed({ body, headers }, secret) {
	const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
	const mac = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
	return headers['webhook-signature'].split(' ').includes(`v1,${mac.digest('base64')}`);
}

test('an endpoint is added, inspected, replayed, rotated, disabled and enabled, and removed', async () => {
	const { page, close } = await open('admin');
	const dialog = page.getByRole('dialog');
	const keepSecret = async () => {
		const secret = await dialog.locator('code').innerText();
		await dialog.getByRole('button', { name: 'I have saved it' }).click();
		return secret;
	};
	await visit(page, 'settings/webhooks');
	await page.getByRole('button', { name: 'Add an address' }).click();
	await dialog.getByLabel('Address (URL)').fill(`http://127.0.0.1:${receiver.address().port}/hook`);
	await dialog.getByLabel('Description').fill('The warehouse');
	await dialog.getByLabel(/^All/).uncheck();
	await dialog.getByLabel('Created', { exact: true }).check();
	await dialog.getByLabel(/^Start with the oldest/).check();
	await dialog.getByRole('button', { name: 'Add an address' }).click();
	const first = await keepSecret();
	assert.ok(!(await page.content()).includes(first), 'the secret is shown again');

	await page.getByRole('link', { name: 'The warehouse' }).click();
	const lookAgain = async (what, name) =>
		until(what, async () => {
			await page.getByRole('button', { name: 'Refresh' }).click();
			await settled(page);
			return (await page.getByRole('row', { name }).count()) > 0;
		});
	await lookAgain('what failed is there', /Status 500/);
	await page.getByRole('row', { name: /Status 500/ }).getByRole('button').first().click();
	await dialog.getByText('by the receiver').waitFor();
	await dialog.getByText('"externalId"').waitFor();
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByRole('button', { name: 'Close' }).last().click();
	await page.getByRole('main').getByText('Failing', { exact: true }).waitFor();

	const replay = async (which) => {
		await page.getByRole('button', { name: 'Send again' }).click();
		await dialog.getByLabel(which).check();
		if (which === 'A range of the feed') await dialog.getByLabel('First position').fill('1');
		receiver.got = [];
		await dialog.getByRole('button', { name: 'Send again' }).click();
		await until(`${which} comes again`, () => receiver.got.length > 0);
		await dialog.waitFor({ state: 'hidden' });
	};
	receiver.status = 200;
	await replay(/^All events that were given up/);
	assert.ok(receiver.got.every((message) => signed(message, first)));
	await lookAgain('what was accepted is there', /Accepted/);
	await page.getByRole('row', { name: /Accepted/ }).first().getByRole('checkbox').check();
	await replay('The selected event');
	await replay('A range of the feed');

	await page.getByRole('button', { name: 'Replace the secret' }).click();
	await dialog.getByRole('button', { name: 'Replace' }).click();
	const second = await keepSecret();
	assert.notEqual(second, first);
	receiver.got = [];
	await page.getByRole('button', { name: 'Send examples' }).click();
	await dialog.getByRole('row', { name: /Created.*Accepted/ }).waitFor();
	await dialog.getByRole('button', { name: 'Close' }).last().click();
	const example = receiver.got.find((message) => message.headers['webhook-id'].startsWith('test_'));
	assert.ok(signed(example, first) && signed(example, second), 'both are good for a while');

	await page.getByRole('button', { name: 'Switch off' }).click();
	await dialog.getByRole('button', { name: 'Switch off' }).click();
	await page.getByText('by a person or key').waitFor();
	await page.getByRole('button', { name: 'Switch on' }).click();
	await page.getByRole('button', { name: 'Switch off' }).waitFor();
	await page.getByLabel('Description').fill('The old warehouse');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('heading', { name: 'The old warehouse' }).waitFor();

	await page.getByRole('link', { name: 'Activity' }).last().click();
	await page.getByRole('row', { name: /Secret replaced/ }).waitFor();
	await page.getByRole('row', { name: /Sent again/ }).first().waitFor();
	await page.goBack();
	await page.getByRole('button', { name: 'Remove' }).click();
	await dialog.getByRole('button', { name: 'Remove' }).click();
	await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
	await settled(page);
	assert.equal(await page.getByRole('link', { name: 'The old warehouse' }).count(), 0);
	await close();
});
