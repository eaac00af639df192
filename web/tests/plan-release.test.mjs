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

test('administrators say when driving takes longer', async () => {
	const { page, context, close } = await open('admin');
	const hoursOf = async () => (await call(context, 'GET', '/v1/organization')).rush_hours;
	await visit(page, 'settings/organization');
	const form = page.getByRole('region', { name: 'For drivers' });
	const hours = form.getByRole('group', { name: 'Rush hours' });
	await hours.getByRole('button', { name: 'Add' }).click();
	for (const day of ['Monday', 'Friday']) await hours.getByLabel(day).check();
	await hours.getByLabel('From').fill('07:00');
	await hours.getByLabel('Until').fill('09:15');
	await hours.getByLabel('Times as long').fill('4');
	await form.getByRole('button', { name: 'Save' }).click();
	await hours.locator('.wrong').first().waitFor();
	assert.deepEqual(await hoursOf(), [], 'nothing is saved of a wrong factor');
	assert.deepEqual(await hindrances(page), []);
	await hours.getByLabel('Times as long').fill('1.5');
	await hours.getByRole('group', { name: 'Areas' }).getByRole('button', { name: 'Add' }).click();
	await hours.getByLabel('Country').fill('NO');
	await hours.getByLabel('Codes beginning with').fill('0');
	await form.getByRole('button', { name: 'Save' }).click();
	await until('the organization has them', async () => (await hoursOf()).length === 1);
	const [said] = await hoursOf();
	assert.deepEqual([said.days, said.from, said.until, said.factor], [['MO', 'FR'], '07:00', '09:15', 1.5]);
	assert.deepEqual(said.areas, [{ country: 'NO', from: '0', to: '0' }]);

	await visit(page, 'settings/organization');
	assert.ok(await hours.getByLabel('Friday').isChecked());
	await hours.getByRole('button', { name: 'Remove: Rush hours 1' }).click();
	await form.getByRole('button', { name: 'Save' }).click();
	await until('nothing is left of them', async () => (await hoursOf()).length === 0);
	await close();
});

test('administrators see what was learned of travel times, and dismiss it', async () => {
	const { page, context, close } = await open('admin');
	await visit(page, 'settings/organization');
	const learned = page.getByRole('region', { name: 'Learned times' });
	await learned.getByRole('listitem').getByText('Monday · 07:00–09:00 · 1.5 · NO 01').waitFor();
	assert.match(await learned.innerText(), /8,120 legs of 20 days.*1,980 legs.*210 s before.*95 s/);
	assert.deepEqual(await hindrances(page), []);
	const of = (kind) => learned.getByRole('article').filter({ hasText: kind });
	await of('Rush hours').getByRole('button', { name: 'Dismiss' }).click();
	await learned.getByText('Dismissed').waitFor();
	await of('Times of visits').getByText('Order type Standard: 7.5 min and 1.5 min per order (now 4 and 1) · 118 visits').waitFor();
	assert.match(await of('Times of visits').innerText(), /3,120 visits of 20 days.*31 visits.*780 s before.*140 s/);
	await of('Times of visits').getByRole('button', { name: 'Accept' }).click();
	await learned.getByText('Accepted').waitFor();
	const states = Object.fromEntries((await call(context, 'GET', '/v2/travel-proposals')).items.map(({ kind, state }) => [kind, state]));
	assert.deepEqual(states, { HOURS: 'DISMISSED', VISITS: 'ACCEPTED' });
	assert.deepEqual((await call(context, 'GET', '/v1/organization')).rush_hours, []);
	await close();
});
