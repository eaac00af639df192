import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, open, organization, until, visit } from '../browser.mjs';
import { drivers, Phone } from './phone.mjs';

const number = '+4740000917';

after(() => browser.close());

/** The text messages that the driver's phone got, newest first. */
async function texts() {
	const answer = await fetch(`${process.env.WAYBILL_SMS}/messages`, { headers: { Accept: 'application/json' } });
	const { messages } = await answer.json();
	return (messages ?? []).filter((one) => one.to === number).map((one) => one.body);
}

test('a phone is enrolled by scanning the office’s code, and the office sees it', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, `drivers/${drivers['Lars Nes']}`);
	const [made] = await Promise.all([
		page.waitForResponse((answer) => answer.url().endsWith('/enrolments')),
		page.getByRole('button', { name: 'Connect a phone' }).click()
	]);
	await page.getByRole('img', { name: 'QR code that connects a phone' }).waitFor();
	const { uri } = await made.json();
	const phone = await new Phone({ sees: uri }).begin();
	await phone.open();
	await phone.look('connect');
	await phone.tap("Scan the office's code");
	await phone.page.getByRole('heading', { name: 'Is that you?' }).waitFor();
	await phone.page.getByText('Lars Nes').waitFor();
	assert.ok(!phone.page.url().includes('#'));
	await phone.tap('Connect');
	await phone.page.getByRole('heading', { name: 'Connected' }).waitFor();
	await page.getByText('1 phone is connected.').waitFor();
	assert.equal(await page.getByRole('dialog').getByRole('img').count(), 0, 'a code that was used is shown no more');
	await phone.end();
	await close();
});

test('a phone is enrolled by a link from the office', async () => {
	const { page, close } = await open('dispatcher');
	const before = (await texts()).length;
	await visit(page, `drivers/${drivers['Lars Nes']}`);
	await page.getByRole('button', { name: 'Send a link by text message' }).click();
	await until('the link came', async () => (await texts()).length > before);
	const link = /\/driver\/(enrol#c=\S+)/.exec((await texts())[0])?.[1];
	assert.ok(link, (await texts())[0]);
	const phone = await new Phone().begin();
	await phone.open(link);
	await phone.page.getByText('Lars Nes').waitFor();
	await phone.tap("That's not me");
	await phone.page.getByRole('button', { name: "Scan the office's code" }).waitFor();
	await phone.page.goto('about:blank');
	await phone.open(link);
	await phone.tap('Connect');
	await phone.page.getByRole('heading', { name: 'Connected' }).waitFor();
	await phone.page.goto('about:blank');
	await phone.open(link);
	await phone.page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor(); // it worked once
	await phone.end();
	await close();
});

test('a phone is enrolled by its number and a code', async () => {
	const before = (await texts()).length;
	const phone = await new Phone().begin();
	await phone.open();
	await phone.tap('Get a code by text message');
	await phone.page.getByText("Your company's short name in Waybill").waitFor();
	await phone.page.getByLabel('Organization').fill(organization);
	await phone.page.getByLabel('Phone number').fill(number);
	await phone.tap('Send me a code');
	const digits = phone.page.getByLabel('Eight-digit code');
	await digits.waitFor();
	await until('the code came', async () => (await texts()).length > before);
	const code = /\b\d{8}\b/.exec((await texts())[0])?.[0];
	assert.ok(code, (await texts())[0]);
	await digits.fill(code === '00000000' ? '00000001' : '00000000');
	await phone.tap('Connect');
	await phone.page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
	await phone.look('connect-code');
	await digits.fill(code);
	await phone.tap('Connect');
	await phone.page.getByRole('heading', { name: 'Connected' }).waitFor();
	await phone.page.getByText('Lars Nes').waitFor();
	await phone.tap(/^See today/);
	await phone.page.getByRole('heading', { name: 'Today' }).waitFor();
	await phone.end();
});
