// What a page shows when a part of it fails, when the service does not respond,
// and when there is a newer release.
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { browser, day, hindrances, open, visit } from './browser.mjs';

after(() => browser.close());

const refuse = (route) => route.fulfill({ status: 404, body: 'of an earlier release' });

test('an open page announces a new version', async () => {
	const { page, close } = await open('dispatcher');
	await page.clock.install();
	await visit(page, 'orders');
	await page.route('**/_app/version.json', (route) => route.fulfill({ json: { version: 'the next one' } }));
	await page.clock.fastForward(61_000);
	await page.getByText('A new version is available.').waitFor();
	assert.deepEqual(await hindrances(page), []);
	await page.unroute('**/_app/version.json');
	await page.getByRole('button', { name: 'Reload the page' }).click();
	await page.getByText('A new version is available.').waitFor({ state: 'detached' });
	await close();
});

test('a part that cannot be loaded shows an error, and the rest works', async () => {
	const { page, context } = await open('dispatcher');
	await visit(page, `day/${day}?view=board`);
	await page.route('**/_app/immutable/**', refuse);
	await page.getByRole('link', { name: 'Map', exact: true }).or(page.getByRole('button', { name: 'Map', exact: true })).first().click();
	await page.getByText("This part of the page couldn't be loaded.").first().waitFor();
	await page.getByRole('heading', { level: 1 }).waitFor();
	await context.close();
});

test('a broken panel does not affect others, and the fault is reported', async () => {
	const { page, close } = await open('dispatcher');
	await page.route(/\/v1\/orders\/\d+\?/, async (route) => {
		const answer = await route.fetch();
		await route.fulfill({ response: answer, json: { ...(await answer.json()), order_products: [null] } });
	});
	await visit(page, 'orders');
	const reported = page.waitForResponse((response) => response.url().endsWith('/v1/client-errors'));
	await page.getByRole('row').nth(1).getByRole('link').first().click();
	await page.getByText("This part of the page can't be shown.").first().waitFor();
	await page.getByRole('heading', { name: 'Story' }).or(page.getByRole('heading', { level: 1 })).first().waitFor();
	const report = await reported;
	assert.equal(report.status(), 204);
	const said = report.request().postDataJSON();
	assert.equal(said.app, 'console');
	assert.equal(said.route, '/orders/[id]');
	assert.match(said.release, /^[0-9a-f]{16}$/, 'the version is a hash of the sources');
	assert.deepEqual(await hindrances(page), []);
	await close();
});

test('requests time out after half a minute', async () => {
	const { page, close } = await open('dispatcher');
	await page.clock.install();
	// A hint would trigger another request: without the stream, the list waits
	// for the user.
	await page.route('**/stream*', (route) => route.abort());
	await page.route('**/v1/recurring_orders?*', () => {});
	const asked = page.waitForRequest('**/v1/recurring_orders?*');
	await page.goto('/console/recurring');
	await asked;
	await page.clock.fastForward(31_000);
	await page.getByText("The service isn't responding.").waitFor();
	await page.unroute('**/v1/recurring_orders?*');
	await page.getByRole('button', { name: 'Try again' }).click();
	await page.getByText("The service isn't responding.").waitFor({ state: 'detached' });
	await close();
});
