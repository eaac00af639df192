// The layout of pages that dispatchers use, compared with the stored one: each at 1440 and 390 pixels, light
// and dark.
//
// Boxes and colors are compared, not pixels. Pixels differ with the fonts of a machine and the version of the
// browser, so a comparison that never fails by chance has to forgive as much as a hidden button changes. A list
// of boxes forgives what does not matter, and says what does: which control is gone, covered or cut, which
// color changed in which theme, which column shrank. It can't see into the map, and not behind text.
//
// Three things keep it the same everywhere: stored answers of the service, a clock that stands still, and a font
// whose characters are boxes of one width. Sizes may differ by 4 pixels and 1.5 %.
//
//   WAYBILL_VISUAL=update   stores the layouts as they are now: after a change that is meant
//   WAYBILL_VISUAL=record   stores the answers, too: after a page asks for something else
//
// A failure writes a screenshot, the layout and a drawing of what differs to bin/visual, or WAYBILL_VISUAL_OUT.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ahead, browser, call, open, settled, until } from './browser.mjs';
import { Player, quietStream, Recorder } from './visual/answers.mjs';
import { boxes } from './visual/font.mjs';
import { differences, drawing, joined, measure, read, told, written } from './visual/layout.mjs';

after(() => browser.close());

const mode = process.env.WAYBILL_VISUAL ?? '';
const folder = process.env.WAYBILL_VISUAL_OUT ?? fileURLToPath(new URL('../../bin/visual/', import.meta.url));
const screens = [[1440, 1000], [390, 1500]];

/** The pages: the role that uses each, its address, and what it shows when it is complete. */
const pages = {
	'sign-in': [undefined, '/sign-in', (page) => page.getByRole('button', { name: 'Sign in', exact: true })],
	'board': ['dispatcher', 'day/DAY', (page) => page.locator('[role=row][data-driver]').first()],
	'map': ['dispatcher', 'day/DAY?view=both', (page) => page.locator('canvas').first()],
	'no-driver': ['dispatcher', 'day/DAY?only=unplanned', (page) => page.getByText('Butikk 1').first()],
	'late': ['dispatcher', 'day/DAY?only=late', (page) => page.getByText('LATER-1').first()],
	'orders': ['dispatcher', 'orders?from=DAY&to=DAY', (page) => page.locator('tbody tr').first()],
	'order': ['dispatcher', 'orders/ORDER', (page) => page.getByRole('heading', { name: /LOOK-1/ })],
	'new-order': ['dispatcher', 'orders/new', (page) => page.getByRole('button', { name: 'Create the order' })],
	'drafts': ['dispatcher', 'drafts', (page) => page.getByText('DRAFT-1').first()],
	'drivers': ['dispatcher', 'drivers', (page) => page.getByText('Nora Berg').first()],
	'locations': ['dispatcher', 'data/locations?q=Kunde', (page) => page.getByText('Kunde 1').first()],
	'messages': ['support', 'messages', (page) => page.locator('tbody tr').first()],
	'activity': ['admin', 'activity?kind=order.created', (page) => page.locator('tbody tr').first()],
	'webhooks': ['admin', 'settings/webhooks', (page) => page.locator('main').getByText('Nobody').first()]
};

const addressOf = (path, values) => path.replace(/^(?!\/)/, '/console/').replace(/DAY|ORDER/g, (name) => values[name]);

/** Shows a page and waits until it is complete and stands still. */
async function show(page, address, complete) {
	await page.goto(address);
	await complete(page).waitFor();
	await settled(page);
	let [last, same] = ['', 0];
	await until('the page stands still', async () => {
		const now = JSON.stringify(await page.evaluate(measure));
		same = now === last ? same + 1 : 0;
		last = now;
		return same === 2;
	});
}

async function importAll(context, orders) {
	const { results } = await call(context, 'POST', '/v3/orders/import', { orders });
	return results.map((result) => Object.values(result).find((one) => one?.OrderID).OrderID);
}

const readPlan = (context, date) => call(context, 'GET', `/v2/plans/${date}?pageSize=200`);

/** Makes a day with planned orders, orders without a driver, and late ones; returns the first order. */
async function makeDay(context, date) {
	const at = (time) => `${date}T${time}:00Z`;
	const order = (externalId, name, address1, postalCode, [earliest, latest]) => ({
		externalId, date, customer: { externalId: 'C-100' }, orderType: { name: 'Standard' }, vehicleType: { name: 'Van' },
		pickup: { externalId: 'T-OSL', earliest: at('01:00'), latest: at('20:00') },
		delivery: {
			name, earliest: at(earliest), latest: at(latest), address: { address1, postalCode, city: 'Oslo', country: 'NO' },
			contacts: [{ firstName: 'Oda', phoneNumber: '+4792100629' }]
		},
		products: [{ name: 'Box', quantity: 1, weight: 5 }]
	});
	const streets = [['Mosseveien 10', '0192'], ['Kirkeveien 50', '0368'], ['Bogstadveien 5', '0355'], ['Trondheimsveien 20', '0560'], ['Thorvald Meyers gate 40', '0555']];
	const windows = [['07:00', '08:00'], ['08:00', '09:00'], ['09:00', '11:00'], ['10:00', '12:00'], ['12:00', '13:00']];
	const planned = await importAll(context, streets.map((street, index) => order(`LOOK-${index + 1}`, `Kunde ${index + 1}`, ...street, windows[index])));
	const early = (prefix, count) => Array.from({ length: count }, (_, index) => order(`${prefix}-${index + 1}`, `Butikk ${index + 1}`, `Mosseveien ${index + 20}`, '0192', ['01:30', '02:00']));
	const left = await importAll(context, [...early('EARLY', 3), ...early('LATER', 2)]);
	await until('the day is planned', async () => {
		const { routes, unplanned } = await readPlan(context, date);
		return planned.every((id) => routes.some(({ stops }) => stops.some(({ orderId }) => orderId === id)))
			&& left.every((id) => unplanned.some(({ orderId }) => orderId === id));
	});
	const late = left.slice(3);
	const { plans, unplanned } = await readPlan(context, date);
	const { departmentId } = unplanned.find(({ orderId }) => orderId === late[0]);
	const { version } = plans.find((plan) => plan.departmentId === departmentId);
	const query = `orderIds=${late}${departmentId ? `&departmentId=${departmentId}` : ''}`;
	const { drivers } = await call(context, 'GET', `/v2/plans/${date}/candidates/together?${query}`);
	const moves = [...late, planned[0]].map((orderId) => ({ orderId, driverId: drivers.at(-1).driverId }));
	await call(context, 'POST', `/v2/plans/${date}/moves`, { version, departmentId, reason: 'The customer has agreed.', moves });
	return planned[0];
}

/** Stores what the service answers to each page. */
async function record() {
	const date = ahead(10);
	const maker = await open('dispatcher');
	const values = { DAY: date, ORDER: String(await makeDay(maker.context, date)) };
	await maker.close();
	const recorder = new Recorder(new Date().toISOString(), values);
	for (const [name, [role, path, complete]] of Object.entries(pages)) {
		const { page, context, close } = await open(role);
		await prepare(context, page, recorder.stored.now);
		await recorder.listen(context, name);
		for (const [width, height] of screens) {
			await page.setViewportSize({ width, height });
			await show(page, addressOf(path, values), complete);
		}
		await close();
	}
	recorder.save();
}

/** Stops the clock and the stream of hints, and has text shown in the font of boxes. */
async function prepare(context, page, now) {
	await page.clock.setFixedTime(now);
	await context.addInitScript(quietStream);
	await context.addInitScript((bytes) => {
		const face = new FontFace('boxes', new Uint8Array(bytes).buffer, { weight: '1 1000' });
		document.fonts.add(face);
		void face.load();
		const sheet = new CSSStyleSheet();
		sheet.replaceSync(`*, ::before, ::after { font-family: boxes !important; font-style: normal !important; transition: none !important;
			animation: none !important; caret-color: transparent !important; scroll-behavior: auto !important; }`);
		document.adoptedStyleSheets = [sheet];
	}, boxes);
}

/** Has the page shown in its own fonts, for people. */
const readable = (page) => page.evaluate(() => void (document.adoptedStyleSheets = []));

async function layoutOf(page) {
	await page.emulateMedia({ colorScheme: 'light' });
	const light = await page.evaluate(measure);
	await page.emulateMedia({ colorScheme: 'dark' });
	await settled(page);
	return joined(light, await page.evaluate(measure));
}

/** Writes what people need to judge a difference, and says where. */
async function keep(page, name, [width, height], before, now, found) {
	mkdirSync(folder, { recursive: true });
	const path = `${folder}/${name}-${width}`;
	writeFileSync(`${path}.json`, written(now));
	writeFileSync(`${path}.svg`, drawing(before, found, [width, height]));
	await readable(page);
	for (const theme of ['light', 'dark']) {
		await page.emulateMedia({ colorScheme: theme });
		await page.screenshot({ path: `${path}-${theme}.png` });
	}
	return `${path}.svg draws what differs (red: stored, blue: now); ${name}-${width}-light.png and -dark.png show the page`;
}

if (mode === 'record') test('what the service answers is recorded', record);

for (const [name, [, path, complete]] of Object.entries(pages)) {
	test(`the page ${name} looks as it did`, async () => {
		const player = new Player();
		const { page, context, close } = await open();
		await prepare(context, page, player.stored.now);
		await player.answer(context, name);
		const faults = [];
		for (const [width, height] of screens) {
			await page.setViewportSize({ width, height });
			await show(page, addressOf(path, player.stored.values), complete);
			const { parts, wrong } = await layoutOf(page);
			const file = new URL(`visual/${name}-${width}.json`, import.meta.url);
			if (mode) writeFileSync(file, written(parts));
			const before = read(readFileSync(file, 'utf8'));
			const found = differences(before, parts);
			const said = [...wrong, ...told(found)];
			if (said.length === 0) continue;
			const where = await keep(page, name, [width, height], before, parts, found);
			const more = said.length > 20 ? [`and ${said.length - 20} more`] : [];
			faults.push(`${name} at ${width} pixels:`, ...said.slice(0, 20).map((text) => `  ${text}`), ...more.map((text) => `  ${text}`), `  ${where}`);
		}
		assert.deepEqual([...player.unknown], [], 'the page asks for what is not recorded: run with WAYBILL_VISUAL=record');
		assert.ok(faults.length === 0, `${faults.join('\n')}\nIf this is meant, run with WAYBILL_VISUAL=update and look at the change.`);
		await close();
	});
}
