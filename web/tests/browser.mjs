// A browser with somebody signed in, for tests of a running service. WAYBILL_URL is the
// service, WAYBILL_ORGANIZATION a slug in it, WAYBILL_PEOPLE says who has which role, and
// CHROMIUM is the browser.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

export const service = process.env.WAYBILL_URL;
export const organization = process.env.WAYBILL_ORGANIZATION;
export const people = JSON.parse(process.env.WAYBILL_PEOPLE ?? '{}');
export const day = process.env.WAYBILL_DAY;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const patience = 60_000; // machines that build something else beside are slow

export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });

/** Opens a window, signed in when there is a role. What goes wrong in it fails the test at its end. */
export async function open(role, options = {}) {
	const { language = 'en', theme = 'light', width = 1440, height = 900 } = options;
	const context = await browser.newContext({
		baseURL: service,
		viewport: { width, height },
		colorScheme: theme,
		reducedMotion: 'reduce'
	});
	context.setDefaultTimeout(patience);
	const wrong = [];
	await context.route(
		(url) => url.origin !== service,
		(route) => {
			wrong.push(`asked ${route.request().url()}`);
			return route.abort();
		}
	);
	await context.addInitScript((tag) => localStorage.setItem('waybill-language', tag), language);
	const page = await context.newPage();
	page.on('pageerror', (error) => wrong.push(String(error)));
	page.on('console', (message) => {
		if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) wrong.push(message.text());
	});
	if (role) await signIn(context, role);
	return {
		page,
		context,
		async close() {
			await context.close();
			assert.deepEqual(wrong, []);
		}
	};
}

async function signIn(context, role) {
	const answer = await context.request.post('/v1/session', { data: { organization, ...people[role] } });
	assert.equal(answer.status(), 200, await answer.text());
}

/** Goes to a page of the console and waits until it has what it shows. */
export async function visit(page, path) {
	await page.goto(`/console/${path}`);
	await page.locator('main h1').first().waitFor();
	await page.waitForLoadState('networkidle').catch(() => {}); // a stream stays open
}

/** Finds what hinders people who use a page in another way than most. */
export async function hindrances(page) {
	await page.evaluate(axe);
	const { violations } = await page.evaluate(() =>
		globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
	);
	return violations.map((found) => `${found.id}: ${found.nodes.map((node) => node.target.join(' ')).slice(0, 3).join(' | ')}`);
}
