import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen, refreshOnHint, type Hint } from '../../shared/live.svelte';
import { ofMessages, ofOrders, ofSuppressions } from '../src/lib/hints';

/** A stream of hints in a page that may be hidden. */
class Stream extends EventTarget {
	static last: Stream;
	static CLOSED = 2;
	readyState = 1;
	close = () => {};
	constructor() {
		super();
		Stream.last = this;
	}
}

const page = Object.assign(new EventTarget(), { hidden: false });
let stop: (() => void)[] = [];

beforeEach(() => {
	vi.useFakeTimers();
	vi.stubGlobal('EventSource', Stream);
	vi.stubGlobal('document', page);
	page.hidden = false;
	stop = [listen()];
});

afterEach(() => {
	stop.forEach((end) => end());
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

const order: Hint = { position: 1, thing: 'order', id: 7, kind: 'order.updated', orderId: 7 };
const sent: Hint = { ...order, kind: 'notification.sent' };
const hint = (data: Hint) => Stream.last.dispatchEvent(new MessageEvent('hint', { data: JSON.stringify(data) }));

test('four hundred hints in fifteen seconds load a list six times, and never twice at a time', async () => {
	let loads = 0;
	let underWay = 0;
	let most = 0;
	stop.push(refreshOnHint(ofOrders, async () => {
		loads++;
		most = Math.max(most, ++underWay);
		await new Promise((done) => setTimeout(done, 1200));
		underWay--;
	}));
	for (let n = 0; n < 400; n++) {
		hint(order);
		await vi.advanceTimersByTimeAsync(15_000 / 400);
	}
	expect(loads).toBeLessThanOrEqual(6);
	expect(most).toBe(1);
	const before = loads;
	await vi.advanceTimersByTimeAsync(10_000);
	expect(loads, 'the last hints are not lost').toBe(before + 1);
});

test('a single hint loads a list once, after half a second', async () => {
	const load = vi.fn(async () => {});
	stop.push(refreshOnHint(ofOrders, load));
	hint(order);
	await vi.advanceTimersByTimeAsync(600);
	expect(load).toHaveBeenCalledTimes(1);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(load).toHaveBeenCalledTimes(1);
});

test('a hidden page requests nothing until it is visible', async () => {
	const load = vi.fn(async () => {});
	stop.push(refreshOnHint(ofOrders, load));
	page.hidden = true;
	hint(order);
	await vi.advanceTimersByTimeAsync(20_000);
	expect(load).not.toHaveBeenCalled();
	page.hidden = false;
	page.dispatchEvent(new Event('visibilitychange'));
	await vi.advanceTimersByTimeAsync(600);
	expect(load).toHaveBeenCalledTimes(1);
});

test('a page that was left requests nothing', async () => {
	const load = vi.fn(async () => {});
	const end = refreshOnHint(ofOrders, load);
	hint(order);
	end();
	await vi.advanceTimersByTimeAsync(20_000);
	expect(load).not.toHaveBeenCalled();
});

test('events of messages concern lists of messages, and no list of orders', () => {
	expect(ofMessages(sent)).toBe(true);
	expect(ofOrders(sent)).toBe(false);
	expect(ofMessages(order)).toBe(false);
	expect(ofOrders(order)).toBe(true);
	expect(ofSuppressions({ ...order, kind: 'suppression.lifted' })).toBe(true);
	for (const concerns of [ofMessages, ofOrders, ofSuppressions]) expect(concerns()).toBe(true);
});
