// Measures how the day renders and how a drag moves, with a thousand orders and
// forty drivers: by hand, on an idle machine, as bench/README.md says. It
// writes a trace for Chromium's performance panel to TRACE.
import { writeFileSync } from 'node:fs';
import { browser, day, open, visit } from './browser.mjs';
import { largeDay } from './large.mjs';
import { frame, traced } from './trace.mjs';

const runs = Number(process.env.RUNS ?? 5);

/** Opens the large day, and returns how long it took from its data until all of it was drawn. */
async function draw() {
	const opened = await open('dispatcher');
	const { page, context } = opened;
	const large = largeDay(day, { orders: 1000, drivers: 40 });
	await context.route(`**/v2/plans/${day}?*`, (route) => route.fulfill({ json: large.plan }));
	await context.route(`**/v2/plans/${day}/drivers?*`, (route) => route.fulfill({ json: large.drivers }));
	await page.addInitScript(() => {
		const look = () => {
			const drawn = document.querySelectorAll('[data-order]').length;
			if (drawn) globalThis.firstDrawn ??= performance.now();
			if (drawn === 2000) globalThis.allDrawn ??= performance.now();
			else requestAnimationFrame(look);
		};
		requestAnimationFrame(look);
	});
	await visit(page, `day/${day}`);
	await page.waitForFunction(() => globalThis.allDrawn);
	const took = await page.evaluate(() => {
		const [answer] = performance.getEntriesByType('resource').filter(({ name }) => /\/v2\/plans\/[^/?]+\?/.test(name));
		return { first: globalThis.firstDrawn - answer.responseEnd, all: globalThis.allDrawn - answer.responseEnd };
	});
	return { ...opened, took };
}

/** Drags a stop over the board and back for a while, as a hand does, and returns the frames meanwhile. */
async function drag(page) {
	const stop = await page.locator('[data-order]').first().boundingBox();
	const at = { x: stop.x + 5, y: stop.y + 5 };
	await page.mouse.move(at.x, at.y);
	await page.mouse.down();
	await page.mouse.move(at.x + 20, at.y);
	await page.evaluate(() => {
		globalThis.frames = [];
		globalThis.isDragged = true;
		const note = (now) => {
			globalThis.frames.push(now);
			if (globalThis.isDragged) requestAnimationFrame(note);
		};
		requestAnimationFrame(note);
	});
	for (let step = 0; step < 180; step++) {
		const turn = (step / 90) * Math.PI;
		await page.mouse.move(at.x + 200 + 200 * Math.sin(turn), at.y + 250 - 250 * Math.cos(turn));
		await new Promise((next) => setTimeout(next, frame / 2));
	}
	const frames = await page.evaluate(() => ((globalThis.isDragged = false), globalThis.frames));
	await page.keyboard.press('Escape');
	await page.mouse.up();
	return frames.slice(1).map((moment, index) => moment - frames[index]);
}

const rows = [];
for (let run = 0; run < runs; run++) {
	const { page, context, took, close } = await draw();
	const { frames, events, longTasks, longest } = await traced(page, context, () => drag(page));
	if (process.env.TRACE && run === 0) writeFileSync(process.env.TRACE, JSON.stringify({ traceEvents: events }));
	const late = frames.filter((gap) => gap > 1.5 * frame).length;
	rows.push({
		'first rows, ms': Math.round(took.first), 'all rows, ms': Math.round(took.all), frames: frames.length, 'missed frames': late,
		'longest gap, ms': Math.round(Math.max(...frames)), 'tasks over a frame': longTasks, 'longest task, ms': Math.round(longest)
	});
	await close();
}
console.table(rows);
await browser.close();
