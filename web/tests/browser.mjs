// A browser with somebody signed in, for tests of a running service. WAYBILL_URL is the
// service, WAYBILL_ORGANIZATION a slug in it, WAYBILL_PEOPLE says who has which role,
// WAYBILL_DAY is a day that is planned, WAYBILL_WEEKDAY the first one from it that is no
// weekend, and CHROMIUM is the browser.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { chromium } from 'playwright-core';

export const service = process.env.WAYBILL_URL;
export const organization = process.env.WAYBILL_ORGANIZATION;
export const people = JSON.parse(process.env.WAYBILL_PEOPLE ?? '{}');
export const day = process.env.WAYBILL_DAY;
export const weekday = process.env.WAYBILL_WEEKDAY;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const patience = 60_000; // milliseconds, for slow, busy machines

export const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM,
	args: [
		'--no-sandbox', '--disable-dev-shm-usage',
		// There is no graphics processor: only the maps are drawn as if there were one.
		'--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing', '--disable-gpu-rasterization',
		// Pages ask nobody but the service, and nobody else answers.
		'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'
	]
});

const windows = new Set();

// A failed test prints what its pages showed; its open pages are closed.
afterEach(async (t) => {
	for (const context of windows) {
		for (const page of t.passed === false ? context.pages() : []) {
			t.diagnostic(`${page.url()}: ${(await page.locator('body').innerText()).slice(0, 1500)}`);
		}
		await context.close();
	}
	windows.clear();
});

/** Opens a window, signed in if there is a role. Errors in it fail the test when it is closed. */
export async function open(role, options = {}) {
	const { language = 'en', theme = 'light', width = 1440, height = 900 } = options;
	const context = await browser.newContext({
		baseURL: service,
		viewport: { width, height },
		colorScheme: theme,
		reducedMotion: 'reduce'
	});
	windows.add(context);
	context.setDefaultTimeout(patience);
	const wrong = [];
	await context.addInitScript((tag) => localStorage.getItem('waybill-language') ?? localStorage.setItem('waybill-language', tag), language);
	const page = await context.newPage();
	context.on('request', (request) => {
		const { origin, protocol } = new URL(request.url());
		if (origin !== service && protocol !== 'blob:' && protocol !== 'data:') wrong.push(`asked ${request.url()}`);
	});
	page.on('pageerror', (error) => wrong.push(String(error)));
	page.on('console', (message) => {
		if (message.type() === 'error' && !/status of 4\d\d|ERR_FAILED/.test(message.text())) wrong.push(message.text());
	});
	follow(page);
	if (role) await signIn(context, role);
	return {
		page,
		context,
		async close() {
			windows.delete(context);
			// The page may ask for something right now, which a test answers.
			for (const answers of [page, context]) await answers.unrouteAll({ behavior: 'ignoreErrors' });
			await context.close();
			assert.deepEqual(wrong, []);
		}
	};
}

async function signIn(context, role) {
	const answer = await context.request.post('/v1/session', { data: { organization, ...people[role] } });
	assert.equal(answer.status(), 200, await answer.text());
}

const unanswered = new WeakMap();

/** Tracks a page's requests, except the stream of hints, which never ends. */
function follow(page) {
	const open = new Set();
	unanswered.set(page, open);
	page.on('request', (request) => /\/v\d\//.test(request.url()) && !request.url().endsWith('/stream') && open.add(request));
	for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => open.delete(request));
}

/** Waits until a page has all responses, and has rendered them. */
export async function settled(page) {
	for (let quiet = 0; quiet < 3; quiet++) {
		await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 20))));
		if (unanswered.get(page).size > 0) quiet = -1;
	}
}

/** Opens a page of the console and waits until it is complete. */
export async function visit(page, path) {
	await page.goto(`/console/${path}`);
	await page.locator('main h1').first().waitFor();
	await settled(page);
}

/** Chooses from a long collection, by a part of a name. */
export async function pick(field, text) {
	await field.fill(text);
	await field.page().getByRole('option', { name: text }).first().click();
}

/** Waits for a condition that no locator can wait for. */
export async function until(what, holds) {
	for (const end = Date.now() + patience; !(await holds()); ) {
		assert.ok(Date.now() < end, what);
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}

/** Calls an operation as the signed-in user. */
export async function call(context, method, path, data) {
	const answer = await context.request.fetch(path, { method, data });
	assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`);
	return answer.status() === 204 ? undefined : answer.json();
}

/** The day that is so many days after the planned one. */
export const ahead = (days) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** Deactivates a template and cancels its orders, so that no day of another test has them. */
export async function endTemplate(context, id) {
	await call(context, 'DELETE', `/v1/recurring_orders/${id}`);
	const orders = await call(context, 'GET', `/v1/orders?startDate=${ahead(-1)}&endDate=${ahead(20)}`);
	const externalIds = orders.map((order) => order.internal_order_number).filter((number) => number.startsWith(`recurring-${id}-`));
	assert.ok(externalIds.length, `template ${id} has orders`);
	await call(context, 'POST', '/v2/orders/cancel-orders', { externalIds });
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Checks accessibility: everything, only colours, or everything except colours, which take longest
 * and are the same in each language.
 */
export async function hindrances(page, which = 'all') {
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
	const options = {
		all: { runOnly: standards },
		colors: { runOnly: { type: 'rule', values: ['color-contrast'] } },
		'not colors': { runOnly: standards, rules: { 'color-contrast': { enabled: false } } }
	}[which];
	const { violations } = await page.evaluate((chosen) => globalThis.axe.run(document, { ...chosen, resultTypes: ['violations'] }), options);
	return violations.map((found) => `${found.id}: ${found.nodes.map((node) => node.target.join(' ')).slice(0, 3).join(' | ')}`);
}
