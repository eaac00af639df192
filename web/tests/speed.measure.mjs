// How fast the day answers with 500 and with 1,000 orders of forty drivers. It measures, and fails only
// if something does not appear. A task is what the main thread of the page did in one piece, by the
// time that it worked. What a person waits for is the time from an event to the next frame, as
// Interaction to Next Paint counts it.
import { after, test } from 'node:test';
import { browser, call, day, open, visit } from './browser.mjs';
import { largeDay } from './large.mjs';
import { traced } from './trace.mjs';

after(() => browser.close());

/** Opens the board of a made-up day, and notes how long each event took until the next frame. */
async function openBoard(orders) {
	const opened = await open('dispatcher');
	const { page, context } = opened;
	const large = largeDay(day, { orders, drivers: 40 });
	await context.route(`**/v2/plans/${day}?*`, (route) => route.fulfill({ json: large.plan }));
	await context.route(`**/v2/plans/${day}/drivers?*`, (route) => route.fulfill({ json: large.drivers }));
	await page.addInitScript(() => {
		globalThis.waited = [];
		new PerformanceObserver((list) => {
			for (const one of list.getEntries()) if (one.interactionId) globalThis.waited.push([one.duration, one.processingEnd - one.startTime]);
		}).observe({ type: 'event', durationThreshold: 16, buffered: true });
	});
	return opened;
}

const loaded = (page) => page.waitForFunction(() => document.querySelectorAll('[data-order]').length > 0);
const idle = (page) => page.evaluate(() => new Promise((done) => setTimeout(done, 500)));

/** The middles of the stops that a person can see, found before it is measured: looking for them is work of the page, too. */
const visibleStops = (page) =>
	page.evaluate(() => {
		const board = document.querySelector('[role=grid]').parentElement.getBoundingClientRect();
		const names = 210;
		const axis = 50;
		return [...document.querySelectorAll('[data-order]')]
			.map((mark) => mark.getBoundingClientRect())
			.map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))
			.filter(({ x, y }) => x > board.x + names && x < board.right && y > board.y + axis && y < Math.min(board.bottom, innerHeight));
	});

const steps = {
	'click a stop': (page, n, stops) => page.mouse.click(stops[3 + n * 4].x, stops[3 + n * 4].y),
	'choose more with shift': async (page, n, stops) => {
		await page.keyboard.down('Shift');
		await page.mouse.click(stops[5 + n * 4].x, stops[5 + n * 4].y);
		await page.keyboard.up('Shift');
	},
	'an arrow key on the board': (page) => page.keyboard.press('ArrowRight'),
	'type in the search': async (page, n) => {
		if (n === 0) await page.keyboard.press('/');
		await page.keyboard.press('d');
	},
	'filter by a driver': async (page, n) => {
		if (n === 0) await page.getByRole('searchbox', { name: /driver/i }).first().focus().catch(() => {});
		await page.keyboard.press('1');
	},
	'drag a stop': async (page, n, stops) => {
		const from = stops[6 + n * 4];
		await page.mouse.move(from.x, from.y);
		await page.mouse.down();
		for (let step = 1; step <= 20; step++) await page.mouse.move(from.x + step * 5, from.y + step * 6);
		await page.keyboard.press('Escape');
		await page.mouse.up();
	}
};

for (const orders of [500, 1000]) {
	test(`a day of ${orders} orders answers`, async (t) => {
		const { page, context, close } = await openBoard(orders);
		const shown = await traced(page, context, async () => {
			await visit(page, `day/${day}`);
			await loaded(page);
			await idle(page);
		});
		t.diagnostic(`open: longest task ${Math.round(shown.longest)} ms`);
		for (const [name, act] of Object.entries(steps)) {
			await idle(page);
			const stops = await visibleStops(page);
			await page.evaluate(() => (globalThis.waited.length = 0));
			const { longest } = await traced(page, context, async () => {
				for (let n = 0; n < 5; n++) {
					await act(page, n, stops);
					await idle(page);
				}
			});
			await page.keyboard.press('Escape');
			const waited = await page.evaluate(() => globalThis.waited);
			const [frame, worked] = [0, 1].map((which) => Math.round(Math.max(0, ...waited.map((one) => one[which]))));
			t.diagnostic(`${name}: longest task ${Math.round(longest)} ms, worked for ${worked} ms, next frame after ${frame} ms (${waited.length} events)`);
		}
		await close();
	});
}

const middle = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

test('a planned day opens, and shows what becomes of a whole route', async (t) => {
	const { page, context, close } = await open('dispatcher');
	const requests = [];
	page.on('request', (request) => requests.push(new URL(request.url()).pathname));
	await page.addInitScript(() => {
		new MutationObserver((_, observer) => {
			if (!document.querySelector('[data-order]')) return;
			globalThis.firstRows = performance.now();
			observer.disconnect();
		}).observe(document, { childList: true, subtree: true });
	});
	for (const cache of ['cold', 'warm']) {
		requests.length = 0;
		await visit(page, `day/${day}`);
		await loaded(page);
		const { rows, transferred } = await page.evaluate(() => {
			const read = performance.getEntriesByType('resource');
			const plan = read.find(({ name }) => /\/v2\/plans\/[^/]+\?/.test(name));
			return { rows: globalThis.firstRows - plan.responseEnd, transferred: read.filter((one) => /\.(js|css)$/.test(one.name) && one.transferSize).length };
		});
		await idle(page);
		t.diagnostic(`${cache}: ${requests.length} requests, ${transferred} modules came over the network, first rows ${Math.round(rows)} ms after their data`);
	}

	const { plans, routes } = await call(context, 'GET', `/v2/plans/${day}`);
	const took = { spreads: [], handovers: [] };
	for (const [index, { driverId, departmentId }] of routes.slice(0, 10).entries()) {
		const { version } = plans.find((plan) => plan.departmentId === departmentId);
		for (const [kind, body] of [['spreads', {}], ['handovers', { toDriverId: routes[(index + 1) % routes.length].driverId }]]) {
			const from = Date.now();
			await call(context, 'POST', `/v2/plans/${day}/${kind}`, { version, departmentId, fromDriverId: driverId, dryRun: true, notStarted: true, ...body });
			took[kind].push(Date.now() - from);
		}
	}
	for (const [kind, times] of Object.entries(took)) t.diagnostic(`dry runs of ${kind}: half within ${middle(times)} ms, all within ${Math.max(...times)} ms`);
	await close();
});
