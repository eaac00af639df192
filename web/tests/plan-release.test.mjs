// What dispatchers see of the release of a plan, and what administrators set for it. It compares the pages with the service.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, until, visit } from './browser.mjs';

after(() => browser.close());

const plansOf = async (context) => (await call(context, 'GET', `/v2/plans/${day}?pageSize=1`)).plans;

test('a plan is released by its button, and the day says when and how much changed since', async () => {
	const { page, context, close } = await open('dispatcher');
	const [plan] = await plansOf(context);
	assert.equal(plan.release.releasedAt, null);
	await visit(page, `day/${day}`);
	const line = page.locator(`[data-release="${plan.departmentId ?? 0}"]`);
	await line.getByText('Not released').waitFor();
	assert.deepEqual(await hindrances(page), []);
	await line.getByRole('button', { name: 'Release' }).click();
	await page.getByText('The plan is released.').waitFor();
	await line.getByText(/^Released .* by /).waitFor();
	await line.getByText('0 routes changed since').waitFor();
	await line.getByRole('button', { name: 'Release' }).waitFor({ state: 'hidden' });
	const now = (await plansOf(context)).find((one) => one.departmentId === plan.departmentId);
	assert.ok(now.release.releasedAt);
	const compared = await call(context, 'GET', `/v2/plans/${day}/release?departmentId=${plan.departmentId ?? 0}&pageSize=200`);
	assert.equal(compared.items.length, plan.orders);
	assert.ok(compared.items.every((item) => item.released));
	await close();
});

test('administrators set when a department releases its plans, and how long loading takes', async () => {
	const { page, context, close } = await open('admin');
	const { items } = await call(context, 'GET', '/v1/departments?limit=1');
	await visit(page, `data/departments/${items[0].id}`);
	await page.getByLabel('Plans are released at').fill('18:30');
	await page.getByLabel('Days before').fill('0');
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await page.getByRole('button', { name: 'Save anyway' }).click(); // the organization's document set its name
	await until('the department has it', async () => {
		const now = await call(context, 'GET', `/v1/departments/${items[0].id}`);
		return now.release_at === '18:30' && now.release_days_before === 0 && now.release_threshold_minutes === 10;
	});

	await visit(page, 'settings/organization');
	const minutes = page.getByLabel('Minutes to load before the shift');
	await minutes.fill('15');
	await page.getByRole('region', { name: 'For drivers' }).getByRole('button', { name: 'Save' }).click();
	await until('the organization has it', async () => (await call(context, 'GET', '/v1/organization')).loading_minutes === 15);
	await visit(page, 'settings/organization');
	assert.equal(await minutes.inputValue(), '15');
	await minutes.fill('');
	await page.getByRole('region', { name: 'For drivers' }).getByRole('button', { name: 'Save' }).click();
	await until('drivers load during the shift', async () => (await call(context, 'GET', '/v1/organization')).loading_minutes === null);
	await close();
});
