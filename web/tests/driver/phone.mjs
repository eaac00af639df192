// A phone with the drivers' app, for tests of a running service: its own
// browser that can be killed, and its own lossy network. WAYBILL_URL is the
// service, WAYBILL_DRIVERS the drivers, WAYBILL_ORDERS the orders, and CHROMIUM
// the browser.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'node:test';
import { chromium } from 'playwright-core';
import { encode } from 'uqr';

const service = new URL(process.env.WAYBILL_URL);
export const drivers = JSON.parse(process.env.WAYBILL_DRIVERS);
export const orders = JSON.parse(process.env.WAYBILL_ORDERS);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const patience = 60_000; // for busy machines

/** A phone in a holder. */
export const onItsSide = { width: 740, height: 360 };

export const sizes = [{ width: 390, height: 844 }, { width: 360, height: 640 }];

let signedIn;

/**
 * The cookie of the dispatcher, who signs in once for each file: codes for phones require a recent
 * sign-in.
 */
const dispatcher = () => (signedIn ??= signIn());

/** Signs in, when the service lets: the first files of a run do so at once. */
async function signIn() {
	const { dispatcher: person } = JSON.parse(process.env.WAYBILL_PEOPLE);
	const ask = () => fetch(new URL('/v1/session', service), {
		method: 'POST', headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ organization: process.env.WAYBILL_ORGANIZATION, ...person })
	});
	let answer = await ask();
	for (const end = Date.now() + patience; answer.status === 429 && Date.now() < end; answer = await ask()) {
		await new Promise((done) => setTimeout(done, 1000 * Number(answer.headers.get('retry-after'))));
	}
	assert.equal(answer.status, 200, await answer.text());
	return answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]).find((cookie) => cookie.startsWith('waybill='));
}

/** Calls the service as the office does, with its key or as its dispatcher. */
export async function office(method, path, body, asDispatcher = false) {
	const who = asDispatcher ? { Cookie: await dispatcher() } : { Authorization: `apikey ${process.env.WAYBILL_KEY}` };
	const answer = await fetch(new URL(path, service), {
		method, headers: { ...who, 'Content-Type': 'application/json' }, body: body && JSON.stringify(body)
	});
	const text = await answer.text();
	assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
	return text ? JSON.parse(text) : undefined;
}

/** A code that enrolls a driver's phone, created by the office. */
export const codeFor = async (name) => (await office('POST', `/v1/drivers/${drivers[name]}/enrolments`, undefined, true)).code;

/** Disconnects all phones of a driver, as the office does. */
export async function revoke(name) {
	const { items } = await office('GET', `/v1/drivers/${drivers[name]}/devices`, undefined, true);
	for (const { id } of items) await office('DELETE', `/v1/drivers/${drivers[name]}/devices/${id}`, undefined, true);
}

/** Waits until something holds that no page shows. */
export async function until(holds) {
	for (const end = Date.now() + patience; !(await holds()); ) {
		assert.ok(Date.now() < end, `waited in vain: ${holds}`);
		await new Promise((done) => setTimeout(done, 20));
	}
}

/**
 * The network between a phone and the service. It can drop requests, drop responses after the
 * service has done its work, or delay them forever. The browser believes that it is online.
 */
export class Network {
	mode = 'good';
	/** How many requests with actions the service received. */
	asked = 0;
	/** How many requests for routes the service received. */
	reads = 0;
	#sockets = [];
	#positions = 0;
	/** How many days the dates of the service's responses are in the past. */
	daysAgo = 0;
	/** Whether there is a newer version of the app. */
	isNewer = false;
	/** A change by the office that no test can cause: maps the route to another one. */
	edit;
	/** Whether the service refuses to show a route. */
	refuses = false;
	#server;

	async begin() {
		this.#server = createServer((asked, answer) => this.#pass(asked, answer));
		await new Promise((done) => this.#server.listen(0, '127.0.0.1', done));
		this.#server.on('connection', (socket) => this.#sockets.push(socket));
		this.origin = `http://localhost:${this.#server.address().port}`;
		return this;
	}

	/**
	 * How many bytes went in both directions so far, with headers. Positions are left out: the phone
	 * reports them by the clock, so that a slow machine would have more of them for each step.
	 */
	get bytes() {
		return this.#sockets.reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0) - this.#positions;
	}

	#pass(asked, answer) {
		const isApi = asked.url.startsWith('/v1/');
		if (isApi && this.mode === 'deaf') return asked.socket.destroy();
		if (asked.url === '/v1/driver/actions') this.asked++;
		// What a test edits is the whole route.
		const url = this.edit ? asked.url.replace(/since=[^&]*/, '') : asked.url;
		const isRoute = url.startsWith('/v1/driver/route');
		if (isRoute) this.reads++;
		if (isRoute && this.refuses) return answer.writeHead(422, { 'Content-Type': 'application/json' }).end('{"message":"No.","details":[]}');
		const { hostname, port } = service;
		const isWorker = asked.url === '/driver/service-worker.js';
		const headers = { ...asked.headers };
		if (isRoute && this.edit) headers['accept-encoding'] = 'identity';
		if (isWorker) {
			headers['accept-encoding'] = 'identity';
			delete headers['if-none-match'];
		}
		const passed = request({ hostname, port, path: url, method: asked.method, headers }, (got) => {
			if (isApi && this.mode === 'lossy') return got.resume().on('end', () => asked.socket.destroy());
			if (isApi && this.mode === 'holding') return got.resume();
			if (got.headers.date) got.headers.date = new Date(Date.parse(got.headers.date) - this.daysAgo * 24 * 3600e3).toUTCString();
			if (url.startsWith('/v1/driver/route/changes') && this.edit) return this.#edited(got, answer);
			const { 'content-length': length, ...others } = got.headers;
			const more = isWorker && this.isNewer ? '\n// newer\n' : '';
			if (url === '/v1/driver/positions') this.#positions += sizeOf(asked) + sizeOf(got);
			answer.writeHead(got.statusCode, length && more ? others : got.headers);
			got.on('data', (bytes) => answer.write(bytes)).on('end', () => answer.end(more));
		});
		passed.on('error', () => asked.socket.destroy());
		if (url.endsWith('/events/stream')) answer.on('close', () => passed.destroy());
		asked.pipe(passed);
	}

	async #edited(got, answer) {
		const changes = JSON.parse(Buffer.concat(await got.toArray()).toString());
		const { stops, ...route } = this.edit({ ...changes.route, stops: changes.stops });
		const edited = { ...changes, revision: 'edited', route: { ...route, stops: [] }, stops, sequence: stops.map((stop) => stop.stopId) };
		const { 'content-length': _, ...headers } = got.headers;
		answer.writeHead(got.statusCode, headers).end(JSON.stringify(edited));
	}

	end() {
		this.#server.closeAllConnections();
		this.#server.close();
	}
}

/** The bytes of a request or a response, without its first line. */
function sizeOf({ rawHeaders, headers }) {
	return rawHeaders.reduce((sum, text) => sum + text.length + 2, Number(headers['content-length'] ?? 0));
}

/** A film of codes that a camera sees one after the other, each for three tenths of a second. */
function film(texts, file) {
	const frames = [texts].flat().flatMap((text) => Array.from({ length: 3 }, () => frame(text)));
	writeFileSync(file, Buffer.concat([Buffer.from('YUV4MPEG2 W640 H480 F10:1 Ip A1:1 C420jpeg\n'), ...frames]));
}

function frame(text) {
	const [width, height] = [640, 480];
	const code = encode(text, { ecc: 'M', border: 4 });
	const scale = Math.floor(height / code.size);
	const luma = Buffer.alloc(width * height, 255);
	for (let y = 0; y < code.size * scale; y++) {
		for (let x = 0; x < code.size * scale; x++) {
			if (code.data[Math.floor(y / scale)][Math.floor(x / scale)]) luma[y * width + x + 80] = 0;
		}
	}
	return Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((width * height) / 2, 128)]);
}

const used = new Set();

// A failed test prints what its phone showed, and disposes of it.
afterEach(async (t) => {
	for (const phone of used) {
		if (t.passed === false) t.diagnostic(await phone.shows().catch(String));
		await phone.end().catch(() => {});
	}
});

/** A phone. Errors on its pages fail the test at its end. */
export class Phone {
	wrong = [];
	#folder = mkdtempSync(join(tmpdir(), 'waybill-phone-'));
	#process;
	#browser;
	#located;

	constructor({ sees = 'nothing', clock = 0, language = 'en', dark = false, size = 'normal' } = {}) {
		Object.assign(this, { clock, language, dark, size });
		film(sees, join(this.#folder, 'camera.y4m'));
	}

	/** Creates the phone and its network. */
	async begin() {
		used.add(this);
		this.network = await new Network().begin();
		return this.start();
	}

	/** Starts the browser, on whatever it kept from before. */
	async start() {
		this.#process = spawn(process.env.CHROMIUM, [
			'--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${join(this.#folder, 'profile')}`,
			'--no-first-run', '--disable-background-networking', '--disable-component-update', '--mute-audio', '--hide-scrollbars',
			'--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream',
			`--use-file-for-fake-video-capture=${join(this.#folder, 'camera.y4m')}`, 'about:blank'
		], { stdio: ['ignore', 'ignore', 'pipe'] });
		this.#browser = await chromium.connectOverCDP(await this.#address(), { timeout: patience });
		this.context = this.#browser.contexts()[0];
		this.context.setDefaultTimeout(patience);
		await this.context.grantPermissions(['geolocation', 'camera'], { origin: this.network.origin });
		await this.stand(59.91);
		await this.context.addInitScript(setUp, { language: this.language, clock: this.clock, size: this.size });
		return this.window();
	}

	/** Puts the phone at a latitude. Like a real one it knows where it is now, not where it was when it was put there. */
	async stand(latitude) {
		clearInterval(this.#located);
		const locate = () => this.context.setGeolocation({ latitude, longitude: 10.7, accuracy: 12 });
		await locate();
		this.#located = setInterval(() => locate().catch(() => {}), 15_000);
	}

	/** Opens a window, in which the driver continues. */
	async window() {
		this.page = await this.context.newPage();
		await this.page.emulateMedia({ colorScheme: this.dark ? 'dark' : 'light', reducedMotion: 'reduce' });
		await this.page.setViewportSize(sizes[0]);
		this.page.on('pageerror', (error) => this.wrong.push(String(error)));
		this.page.on('request', (asked) => {
			const { protocol, origin } = new URL(asked.url());
			if (!['blob:', 'data:'].includes(protocol) && origin !== this.network.origin) this.wrong.push(`asked ${asked.url()}`);
		});
		return this;
	}

	#address() {
		return new Promise((found, failed) => {
			let said = '';
			this.#process.stderr.on('data', (text) => {
				said += text;
				const [, address] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
				if (address) found(address);
			});
			this.#process.on('exit', () => failed(new Error(`the browser ended: ${said}`)));
		});
	}

	/** Ends the browser in the middle of whatever it does. */
	async kill() {
		clearInterval(this.#located);
		const ended = new Promise((done) => this.#process.once('exit', done));
		this.#process.kill('SIGKILL');
		await ended;
		await this.#browser.close().catch(() => {});
	}

	/** Closes the browser as people do, and starts it again. */
	async restart() {
		await this.#close();
		return this.start();
	}

	async #close() {
		clearInterval(this.#located);
		const ended = new Promise((done) => this.#process.once('exit', done));
		const session = await this.#browser.newBrowserCDPSession();
		await session.send('Browser.close').catch(() => {});
		await ended;
		await this.#browser.close().catch(() => {});
	}

	/** The text of its pages. */
	async shows() {
		const pages = this.context.pages().map(async (page) => `${page.url()}: ${await page.locator('body').innerText({ timeout: 1000 })}`);
		return [...this.wrong, ...(await Promise.all(pages))].join('\n').slice(0, 3000);
	}

	async end() {
		used.delete(this);
		await this.#close();
		this.network.end();
		rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
		assert.deepEqual(this.wrong, []);
	}

	async open(path = '') {
		await this.page.goto(`${this.network.origin}/driver/${path}`);
		await this.page.locator('h1').first().waitFor();
	}

	/** Connects the phone by a link of the office. */
	async connect(name) {
		await this.page.goto('about:blank');
		await this.open(`enrol#c=${await codeFor(name)}`);
		await this.page.getByText(name).waitFor();
		await this.tap('Connect');
		await this.page.getByRole('heading', { name: 'Connected' }).waitFor();
		await this.tap(/^See today/);
		await this.page.getByRole('heading', { name: 'Today' }).waitFor();
	}

	/** Waits until the app can be opened without a network. */
	async installed() {
		await this.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
		await this.page.reload();
		await this.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
		await this.page.locator('h1').first().waitFor();
	}

	/** Taps the button with this exact name. A notice that must be read first may open late. */
	async tap(name, role) {
		const called = (one) => this.page.getByRole(one, { name, exact: true });
		const target = (role ? called(role) : called('button').or(called('link'))).first();
		const toRead = this.page.locator('dialog[aria-labelledby="popup"]');
		await target.click({ timeout: 5000 }).catch(async () => {
			if (await toRead.isVisible()) await toRead.getByRole('button').click();
			await target.click();
		});
	}

	/** Makes the app send unsent actions, unless it has begun by itself. */
	async sendNow() {
		await this.page.getByRole('button', { name: 'Send now' }).click({ timeout: 2000 }).catch(() => {});
	}

	/** Waits until so many actions are still to be sent. */
	waiting(count) {
		return this.page.locator(`[data-waiting="${count}"]`).first().waitFor();
	}

	/** Reads the notice at a stop, if there is one. */
	async understood() {
		const dialog = this.page.getByRole('dialog');
		if (await dialog.isVisible()) await dialog.getByRole('button').click();
	}

	/** Reads all that was recorded without counting. */
	async understoodAll() {
		const understood = this.page.getByRole('button', { name: 'Understood' });
		for (let left = await understood.count(); left > 0; left = await understood.count()) {
			await understood.first().click();
			await this.page.waitForFunction(
				(before) => [...document.querySelectorAll('button')].filter((one) => one.textContent.trim() === 'Understood').length < before,
				left
			);
		}
	}

	/** Opens the next stop from wherever the driver is. */
	async next() {
		await this.tap('Today', 'link');
		await this.tap('Open the next stop');
		await this.page.locator('h2#place').waitFor();
		await this.understood();
	}

	/** Starts the day, and waits until the phone has stored that. */
	async startDay() {
		await this.tap('Start the day');
		await this.page.getByText('Open the next stop').waitFor();
	}

	/** Arrives at the stop that is open; early, where the phone believes that it is another day. */
	async arrive() {
		await this.tap('I have arrived');
		if (this.network.daysAgo) await this.tap('Yes, I have arrived');
	}

	/** Has the app read its route again. */
	async readAgain() {
		const read = this.page.waitForResponse((answer) => answer.url().includes('/v1/driver/route/changes'));
		await this.page.evaluate(() => dispatchEvent(new Event('online')));
		await read;
	}

	/** Taps the centre of a main button, and the same spot again as soon as there is another one. */
	async tapTwice(name) {
		const button = this.page.locator('.deck .main').filter({ hasText: name });
		await button.click({ trial: true });
		await button.evaluate(tapTwice);
	}

	/** Picks up everything at the next stop. */
	async pickUp() {
		await this.next();
		await this.arrive();
		await this.tap('Picked up');
		await this.told();
	}

	/** Delivers at the next stop to a recipient. */
	async deliverTo(name) {
		await this.next();
		await this.arrive();
		await this.tap('Deliver', 'link');
		await this.page.getByLabel("Recipient's name").fill(name);
		await this.tap('Delivered', 'button');
		await this.told();
	}

	/** Waits until the last action is shown as stored: before that nothing is guaranteed. */
	async told() {
		await this.page.getByText(/Sent|Saved on this phone/).first().waitFor();
	}

	/** Fills the phone's disk, or makes room on it. */
	fillDisk(isFull) {
		return this.page.evaluate((full) => void (globalThis.isDiskFull = full), isFull);
	}

	/** Signs with a finger. */
	async sign() {
		// Once it is possible, and where the thumb does not cover it.
		await this.page.waitForFunction(() => document.querySelector('canvas')?.style.touchAction === 'none');
		await this.page.locator('canvas').evaluate((canvas) => canvas.scrollIntoView({ block: 'center' }));
		const box = await this.page.locator('canvas').boundingBox();
		const at = (x, y) => [box.x + (box.width * x) / 100, box.y + (box.height * y) / 100];
		await this.page.mouse.move(...at(10, 50));
		await this.page.mouse.down();
		for (const [x, y] of [[25, 20], [35, 85], [50, 30], [75, 60]]) await this.page.mouse.move(...at(x, y), { steps: 4 });
		await this.page.mouse.up();
	}

	/** Takes a photograph, as large as a camera makes them. */
	async photograph() {
		const bytes = await this.page.evaluate(async () => {
			const canvas = Object.assign(document.createElement('canvas'), { width: 2000, height: 1500 });
			const drawn = canvas.getContext('2d');
			drawn.fillStyle = '#2a6';
			drawn.fillRect(200, 300, 900, 700);
			const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
			return Array.from(new Uint8Array(await blob.arrayBuffer()));
		});
		await this.page.locator('#photo').setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: Buffer.from(bytes) });
		await this.page.getByAltText('Photo 1').waitFor();
	}

	/** How much of the height of the phone is left for what is read, between the bars. */
	room() {
		return this.page.evaluate(() => {
			const [header, deck, nav] = ['header', '.deck', 'nav'].map((one) => document.querySelector(one)?.getBoundingClientRect());
			const below = [deck, nav].filter((bar) => bar && bar.width > innerWidth / 2 && bar.top > 0).map((bar) => bar.top);
			return (Math.min(innerHeight, ...below) - header.bottom) / innerHeight;
		});
	}

	/** Checks a screen: it is accessible, no wider than the phone, and there is a screenshot. */
	async look(name) {
		for (const size of this.size === 'normal' ? [...sizes, { width: 320, height: 568 }, onItsSide] : [...sizes, onItsSide]) {
			await this.page.setViewportSize(size);
			const over = await this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
			assert.ok(over <= 0, `${name} is ${over} pixels too wide at ${size.width}`);
			assert.deepEqual(await this.page.evaluate(hardToTap), [], `${name} at ${size.width}`);
			if (!process.env.PICTURES || size.width === 320) continue;
			await this.page.screenshot({ path: join(process.env.PICTURES, `${name}-${size.width}.png`), fullPage: false });
		}
		// A screen as long as its page, so that content below the fold covers
		// nothing. A page that has grown in the meantime, by the camera's
		// image, is checked again.
		await this.page.evaluate(axe);
		const height = () => this.page.evaluate(() => document.documentElement.scrollHeight);
		let violations;
		let screen;
		do {
			screen = Math.max(sizes[0].height, await height());
			await this.page.setViewportSize({ ...sizes[0], height: screen });
			({ violations } = await this.page.evaluate(() =>
				globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
			));
		} while ((await height()) > screen);
		const found = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).slice(0, 3).join(' | ')}`);
		await this.page.setViewportSize(sizes[0]);
		assert.deepEqual(found, [], name);
	}
}

/**
 * Runs in a page: finds targets too small for a thumb in a glove. The next action is at the bottom.
 */
function hardToTap() {
	const missed = [];
	for (const one of document.querySelectorAll('button, a[href], select, summary, label.tick, input:not([type=checkbox], [type=radio], [type=file])')) {
		const { width, height } = one.getBoundingClientRect();
		if (height > 0 && Math.min(width, height) < 48) missed.push(`${Math.round(width)} × ${Math.round(height)}: ${one.outerHTML.slice(0, 120)}`);
	}
	for (const one of document.querySelectorAll('.deck .main')) {
		const { top, bottom } = one.getBoundingClientRect();
		if ((top + bottom) / 2 < innerHeight / 2) missed.push(`too far up: ${one.outerHTML.slice(0, 120)}`);
	}
	return missed;
}

/** Runs in a page: two taps on one spot, the second as soon as there is another main button. */
async function tapTwice(first) {
	const { left, top, width, height } = first.getBoundingClientRect();
	const [x, y] = [left + width / 2, top + height / 2];
	const button = () => document.querySelector('.deck .main');
	first.click();
	while (!button() || button() === first) await new Promise(requestAnimationFrame);
	document.elementFromPoint(x, y).click();
}

/** Runs in each page before it: the language, the size of the text, a light, a disk that can be full, and a clock that is wrong. */
function setUp({ language, clock, size }) {
	// No camera of a test has a light: this one records whether it is on.
	MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });
	MediaStreamTrack.prototype.applyConstraints = async ({ advanced: [{ torch }] }) => void (globalThis.isLit = torch);
	if (location.protocol.startsWith('http')) {
		localStorage.setItem('waybill-language', language);
		if (localStorage.getItem('waybill-driver') === null) localStorage.setItem('waybill-driver', JSON.stringify({ size }));
	}
	// Taps, vibrations, and the screen lock.
	globalThis.taps = 0;
	addEventListener('pointerdown', () => globalThis.taps++, true);
	globalThis.felt = [];
	navigator.vibrate = (pattern) => globalThis.felt.push(pattern) > 0;
	globalThis.awake = new Set();
	const request = async () => {
		const lock = { released: false, release: async () => void ((lock.released = true), globalThis.awake.delete(lock)) };
		globalThis.awake.add(lock);
		return lock;
	};
	Object.defineProperty(navigator, 'wakeLock', { value: { request } });
	const add = IDBObjectStore.prototype.add;
	IDBObjectStore.prototype.add = function (...given) {
		if (globalThis.isDiskFull) throw new DOMException('', 'QuotaExceededError');
		return add.apply(this, given);
	};
	if (!clock) return;
	const Right = Date;
	globalThis.Date = class extends Right {
		constructor(...given) {
			super(...(given.length ? given : [Right.now() + clock]));
		}

		static now() {
			return Right.now() + clock;
		}
	};
}
