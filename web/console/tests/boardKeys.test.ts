import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BoardKeys, driverKey } from '../src/lib/day/boardKeys.svelte';
import type { Day } from '../src/lib/day/day.svelte';
import type { Consideration } from '../src/lib/day/moves.svelte';
import type { Row } from '../src/lib/day/rows';
import { at, place, route, row, stop } from './day';
import { speaking } from './words';

const session = vi.hoisted(() => ({ may: true }));
vi.mock('$shared/session.svelte', () => ({ may: () => session.may, zone: () => 'Europe/Oslo', person: () => ({ user_id: 1 }) }));

const address = vi.hoisted(() => ({ sel: '' }));
vi.mock('../src/lib/query', () => ({ queried: () => address.sel, setQuery: ({ sel }: { sel: string }) => (address.sel = sel) }));

const rows: Row[] = [
	row(1, 'Anders', [stop(1, { startsAt: at(9) }), stop(2, { startsAt: at(11) })], { route: route(1, 'Anders', []) }),
	row(2, 'Kari', [stop(3, { startsAt: at(8) }), stop(4, { startsAt: at(10, 45) }), stop(5, { startsAt: at(14), orderStatusId: 3 })]),
	row(3, 'Ola', [], { departmentId: 8 }),
	row(4, 'Siri')
];
const answer = { orders: [place(1, 1)], to: { driverId: 2, driverName: 'Kari' }, outcome: { cost: { drivingSeconds: 600 }, breaks: [] } };
let focused: string;
let choose: ReturnType<typeof vi.fn<(key: string) => void>>;
let moves: { ask: ReturnType<typeof vi.fn>; consider: ReturnType<typeof vi.fn>; choose: ReturnType<typeof vi.fn>; lock: ReturnType<typeof vi.fn> };
let day: { placeOf: unknown; moves: unknown; wish?: unknown };
let keys: BoardKeys;

beforeEach(async () => {
	vi.useFakeTimers();
	session.may = true;
	address.sel = '';
	focused = '';
	choose = vi.fn<(key: string) => void>();
	moves = { ask: vi.fn(() => Promise.resolve(answer as unknown as Consideration)), consider: vi.fn(), choose: vi.fn(), lock: vi.fn() };
	const placeOf = (orderId: number) => {
		const driver = rows.find(({ stops }) => stops.some((one) => one.orderId === orderId));
		return driver && place(orderId, driver.driverId, { begun: orderId === 5 });
	};
	day = { placeOf, moves };
	keys = new BoardKeys(day as unknown as Day, () => rows, choose);
	await speaking({
		'day.picked_up': 'picked up {number}', 'day.begun': 'begun {number}', 'day.let_go': 'let go',
		'day.verdict': '{number} to {driver}: {driving}, {fits}', 'day.fits': 'fits'
	});
	const querySelector = (selector: string) => ({
		focus: () => (focused = /data-cell="(.*)"/.exec(selector)?.[1] ?? ''),
		scrollIntoView: () => {}
	});
	vi.stubGlobal('document', { querySelector });
});

afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

/** Presses a key at a cell, and reports whether the board took it. */
function press(cell: string, key: string, more: object = {}): boolean {
	const preventDefault = vi.fn();
	const target = { closest: () => (cell ? { dataset: { cell } } : null) };
	keys.press({ key, shiftKey: false, target, preventDefault, stopPropagation: () => {}, ...more } as unknown as KeyboardEvent);
	return preventDefault.mock.calls.length > 0;
}

describe('arrows go', () => {
	test.each([
		['from a driver to the first stop', driverKey(1), 'ArrowRight', '1-DELIVERY'],
		['from the first stop to the driver', '1-DELIVERY', 'ArrowLeft', driverKey(1)],
		['no further than the last stop', '2-DELIVERY', 'ArrowRight', '2-DELIVERY'],
		['to the last stop', driverKey(2), 'End', '5-DELIVERY'],
		['to the driver', '5-DELIVERY', 'Home', driverKey(2)],
		['from driver to driver', driverKey(1), 'ArrowDown', driverKey(2)],
		['down to the stop that is nearest in time', '2-DELIVERY', 'ArrowDown', '4-DELIVERY'],
		['up to the stop that is nearest in time', '3-DELIVERY', 'ArrowUp', '1-DELIVERY'],
		['to the driver where there are no stops', '4-DELIVERY', 'ArrowDown', driverKey(3)],
		['nowhere above the first row', '1-DELIVERY', 'ArrowUp', '']
	])('%s', (_, from, key, want) => {
		expect(press(from, key)).toBe(true);
		expect(focused).toBe(want);
	});

	test('nowhere with a key of the browser, or outside of the grid', () => {
		expect(press('1-DELIVERY', 'ArrowDown', { ctrlKey: true })).toBe(false);
		expect(press('', 'ArrowDown')).toBe(false);
		expect(press('99-DELIVERY', 'ArrowDown')).toBe(false);
		expect(press('1-DELIVERY', 'x')).toBe(false);
		expect(focused).toBe('');
	});
});

test('Enter chooses a stop, m a driver for it, and l locks it', () => {
	press('1-DELIVERY', 'Enter');
	expect(choose).toHaveBeenCalledWith('1-DELIVERY', false);
	press('1-DELIVERY', 'Enter', { shiftKey: true });
	expect(choose).toHaveBeenLastCalledWith('1-DELIVERY', true);
	expect(press('1-DELIVERY', 'm')).toBe(true);
	expect(moves.choose).toHaveBeenCalledWith([place(1, 1)]);
	expect(press('1-DELIVERY', 'l')).toBe(true);
	expect(moves.lock).toHaveBeenCalledWith(place(1, 1), true);
	expect(press(driverKey(1), 'm')).toBe(false);
});

test.each([
	['f', '1-DELIVERY', { stop: '1-DELIVERY', placing: { where: 'first' } }],
	['e', '1-DELIVERY', { stop: '1-DELIVERY', placing: { where: 'last' } }],
	['s', '1-DELIVERY', { stop: '1-DELIVERY' }],
	['r', '1-DELIVERY', { stop: '1-DELIVERY', placing: { where: 'reverse' } }],
	['s', driverKey(1), {}],
	['r', driverKey(1), { placing: { where: 'reverse' } }]
])('%s at %s offers another sequence', (key, cell, wish) => {
	expect(press(cell, key)).toBe(true);
	expect(day.wish).toEqual({ to: 'sequence', driverId: 1, ...wish });
	day.wish = undefined;
});

test('a driver without a route has no sequence, and no stop is no first one', () => {
	expect(press(driverKey(4), 'r')).toBe(false);
	expect(press(driverKey(1), 'f')).toBe(false);
	session.may = false;
	expect(press('1-DELIVERY', 'f')).toBe(false);
	expect(day.wish).toBeUndefined();
});

test('only the office moves orders', () => {
	session.may = false;
	expect(press('1-DELIVERY', 'm')).toBe(false);
	press('1-DELIVERY', ' ');
	expect(keys.held).toBe(0);
});

describe('an order that is picked up', () => {
	test('goes to the next driver of its department once Enter is pressed', async () => {
		press('1-DELIVERY', ' ');
		expect([keys.held, keys.aimed?.driverName, keys.said]).toEqual([1, 'Anders', 'picked up A-1']);
		press('1-DELIVERY', 'ArrowDown');
		expect(keys.said).toBe('Kari');
		expect(moves.ask).not.toHaveBeenCalled();
		await vi.advanceTimersByTimeAsync(400);
		expect(keys.said).toBe('A-1 to Kari: +10 min, fits');
		press('1-DELIVERY', 'ArrowDown');
		expect(keys.aimed?.driverName, 'Ola is of another department').toBe('Siri');
		press('1-DELIVERY', 'Enter');
		expect(moves.consider).toHaveBeenCalledWith([place(1, 1)], { driverId: 4, driverName: 'Siri' });
		expect(keys.held).toBe(0);
	});

	test('is asked about once, for the driver at whom somebody stays', async () => {
		press('1-DELIVERY', ' ');
		press('1-DELIVERY', 'ArrowDown');
		await vi.advanceTimersByTimeAsync(200);
		press('1-DELIVERY', 'ArrowDown');
		await vi.advanceTimersByTimeAsync(1000);
		expect(moves.ask.mock.calls.map(([, to]) => to as unknown)).toEqual([{ driverId: 4, driverName: 'Siri' }]);
	});

	test('stays where it is with Escape, and at its own driver', async () => {
		press('1-DELIVERY', ' ');
		press('1-DELIVERY', 'ArrowDown');
		press('1-DELIVERY', 'Escape');
		expect([keys.held, keys.said]).toEqual([0, 'let go']);
		press('1-DELIVERY', ' ');
		press('1-DELIVERY', 'Enter');
		await vi.advanceTimersByTimeAsync(1000);
		expect(moves.ask).not.toHaveBeenCalled();
		expect(moves.consider).not.toHaveBeenCalled();
	});

	test('that is let go is not spoken of when the answer comes', async () => {
		let come = (_: unknown) => {};
		moves.ask.mockReturnValue(new Promise((done) => (come = done)));
		press('1-DELIVERY', ' ');
		press('1-DELIVERY', 'ArrowDown');
		await vi.advanceTimersByTimeAsync(400);
		press('1-DELIVERY', 'Escape');
		come(answer);
		await vi.advanceTimersByTimeAsync(0);
		expect(moves.ask).toHaveBeenCalledOnce();
		expect(keys.said).toBe('let go');
	});

	test('leaves Tab to the browser and takes all other keys', () => {
		press('1-DELIVERY', ' ');
		expect(press('1-DELIVERY', 'Tab')).toBe(false);
		expect(press('1-DELIVERY', 'x')).toBe(true);
	});

	test('is none that a driver has begun with', () => {
		press('5-DELIVERY', ' ');
		expect([keys.held, keys.said]).toEqual([0, 'begun A-5']);
	});
});

describe('a visit that is one mark', () => {
	const visit = [stop(6, { startsAt: at(7) }), stop(7, { startsAt: at(7), sameVisit: true })];
	const all = [row(1, 'Anders', [...visit, stop(8, { startsAt: at(11) })])];
	beforeEach(() => {
		const placeOf = (orderId: number) => place(orderId, 1);
		keys = new BoardKeys({ placeOf, moves } as unknown as Day, () => all, choose, ({ stops }) => [stops.slice(0, 2), ...stops.slice(2).map((one) => [one])]);
	});

	test('is one step of the arrows', () => {
		press('6-DELIVERY', 'ArrowRight');
		expect(focused).toBe('8-DELIVERY');
		press('8-DELIVERY', 'ArrowLeft');
		expect(focused).toBe('6-DELIVERY');
	});

	test('is moved with all its orders, and with the selection that it is part of', () => {
		press('6-DELIVERY', 'm');
		expect(moves.choose).toHaveBeenLastCalledWith([place(6, 1), place(7, 1)]);
		address.sel = 'o6,8';
		press('6-DELIVERY', ' ');
		expect(keys.heldOrders).toEqual([6, 7, 8]);
	});
});
