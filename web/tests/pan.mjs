// Measures how the map of a day moves with five hundred orders on drawn routes and forty vans that
// move: by hand, on an idle machine, as bench/README.md says.
import { browser, day, open, visit } from './browser.mjs';
import { largeDay } from './large.mjs';
import { frame, traced } from './trace.mjs';

const runs = Number(process.env.RUNS ?? 3);
const seconds = Number(process.env.SECONDS ?? 5);

/** An encoded polyline of bent legs, with 40 points each, as streets have them. */
function encoded(points) {
	let [text, before] = ['', [0, 0]];
	for (const point of points) {
		for (const [index, degrees] of point.entries()) {
			const now = Math.round(degrees * 1e5);
			let value = (now - before[index]) << 1;
			if (now < before[index]) value = ~value;
			before[index] = now;
			for (; value >= 32; value >>>= 5) text += String.fromCharCode(((value & 31) | 32) + 63);
			text += String.fromCharCode(value + 63);
		}
	}
	return text;
}

function wayBetween(from, to) {
	return Array.from({ length: 40 }, (_, step) => {
		const part = step / 39;
		const bend = 0.002 * Math.sin(part * Math.PI * 3);
		return [from.latitude + (to.latitude - from.latitude) * part + bend, from.longitude + (to.longitude - from.longitude) * part - bend];
	});
}

const withLegs = (route) => ({
	...route,
	legs: route.stops.map((stop, index) => ({ sequence: stop.sequence, polyline: index ? encoded(wayBetween(route.stops[index - 1], stop)) : null }))
});

/** Opens the map of the large day. The vans are elsewhere each time they are asked for. */
async function openMap() {
	const opened = await open('dispatcher');
	const { page, context } = opened;
	const large = largeDay(day, { orders: 500, drivers: 40 });
	const plan = { ...large.plan, routes: large.plan.routes.map(withLegs) };
	let asked = 0;
	await context.route(`**/v2/plans/${day}?*`, (route) => route.fulfill({ json: plan }));
	await context.route(`**/v2/plans/${day}/drivers?*`, (route) => route.fulfill({ json: large.drivers }));
	await context.route(`**/v2/plans/${day}/positions*`, (route) => {
		asked++;
		const items = plan.routes.filter(({ stops }) => stops.length).map(({ driverId, stops }) => {
			const { latitude, longitude } = stops[asked % stops.length];
			return { driverId, latitude, longitude, at: new Date().toISOString() };
		});
		return route.fulfill({ json: { items } });
	});
	await visit(page, `day/${day}?view=map`);
	await page.locator('canvas').waitFor();
	await page.waitForTimeout(3000); // until the tiles of the first view are drawn
	return opened;
}

/** Drags the map in circles for a while, and returns the times between frames. */
async function pan(page) {
	const map = await page.locator('canvas').boundingBox();
	const middle = { x: map.x + map.width / 2, y: map.y + map.height / 2 };
	await page.evaluate(() => {
		Object.assign(globalThis, { frames: [], isPanned: true });
		const note = (now) => {
			globalThis.frames.push(now);
			if (globalThis.isPanned) requestAnimationFrame(note);
		};
		requestAnimationFrame(note);
	});
	await page.mouse.move(middle.x, middle.y);
	await page.mouse.down();
	const end = Date.now() + seconds * 1000;
	for (let step = 0; Date.now() < end; step++) {
		const turn = (step / 60) * Math.PI;
		await page.mouse.move(middle.x + 150 * Math.sin(turn), middle.y + 100 - 100 * Math.cos(turn));
		await new Promise((next) => setTimeout(next, frame / 2));
	}
	await page.mouse.up();
	const frames = await page.evaluate(() => ((globalThis.isPanned = false), globalThis.frames));
	return frames.slice(1).map((moment, index) => moment - frames[index]);
}

const rows = [];
for (let run = 0; run < runs; run++) {
	const { page, context, close } = await openMap();
	const { frames, longTasks, longest, worked } = await traced(page, context, () => pan(page));
	const late = frames.filter((gap) => gap > frame + 1).length; // clocks of frames are a millisecond apart
	rows.push({
		frames: frames.length, 'over 16.7 ms, %': Math.round((1000 * late) / frames.length) / 10, 'longest gap, ms': Math.round(Math.max(...frames)),
		'tasks over a frame': longTasks, 'longest task, ms': Math.round(longest), 'main thread busy, %': Math.round(worked / seconds / 10)
	});
	await close();
}
console.table(rows);
await browser.close();
