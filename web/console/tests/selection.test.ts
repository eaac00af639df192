import { beforeEach, expect, test, vi } from 'vitest';
import { layersShown, routesShown, showLayer, showRoute } from '../src/lib/day/mapState';
import { mostChosen, select, toggle, withSelected } from '../src/lib/day/selection';
import { chosen } from '../src/lib/day/view';
import { changeTo, later } from '../src/lib/day/reschedule';

const address = vi.hoisted<{ now: Record<string, string> }>(() => ({ now: {} }));
vi.mock('../src/lib/query', () => ({
	queried: (name: string) => address.now[name] ?? '',
	queriedAll: (name: string) => (address.now[name] ?? '').split(',').filter(Boolean),
	setQuery: (changes: Record<string, string>) => Object.assign(address.now, changes)
}));
beforeEach(() => (address.now = {}));

test('the selection is in the address', () => {
	expect(chosen()).toEqual({ orderIds: [] });
	select([7]);
	expect(chosen()).toEqual({ orderIds: [7], orderId: 7 });
	select([7, 8, 8]);
	expect(address.now['sel']).toBe('o7,8');
	expect(chosen()).toEqual({ orderIds: [7, 8] });
	select([]);
	expect(address.now['sel']).toBe('');
	address.now['sel'] = 'd4';
	expect(chosen()).toEqual({ orderIds: [], driverId: 4 });
	select(Array.from({ length: 300 }, (_, id) => id + 1));
	expect(chosen().orderIds).toHaveLength(mostChosen);
});

test('orders are added to it, and taken out when all of them are in it', () => {
	toggle([1]);
	toggle([2, 3]);
	expect(chosen().orderIds).toEqual([1, 2, 3]);
	toggle([3, 4]);
	expect(chosen().orderIds).toEqual([1, 2, 3, 4]);
	toggle([2, 3]);
	expect(chosen().orderIds).toEqual([1, 4]);
});

test('an order is moved with the selection only if it is in it', () => {
	select([1, 2]);
	expect(withSelected([2])).toEqual([2, 1]);
	expect(withSelected([3])).toEqual([3]);
});

test('the map shows all routes, some or one', () => {
	showRoute(2, false, [1, 2, 3]);
	expect([...routesShown()]).toEqual([1, 3]);
	showRoute(3, false, [1, 2, 3]);
	expect([...routesShown()]).toEqual([1]);
	showRoute(2, true, [1, 2, 3]);
	showRoute(3, true, [1, 2, 3]);
	expect(address.now['routes'], 'all are none in the address').toBe('');
});

test('layers are in the address unless they are the usual ones', () => {
	expect(layersShown()).toEqual(['unplanned']);
	showLayer('zones', true);
	expect(address.now['layers']).toBe('unplanned,zones');
	showLayer('zones', false);
	expect(address.now['layers']).toBe('');
	showLayer('unplanned', false);
	expect(layersShown()).toEqual([]);
});

test('a rescheduled order keeps its times of the clock, also when the clocks are turned', () => {
	expect(later('2026-10-24T06:00:00Z', 1, 'Europe/Oslo')).toBe('2026-10-25T07:00:00.000Z');
	const stop = (type: string, source: string) => ({ type, window_source: source, earliest: '2026-12-07T07:00:00Z', latest: '2026-12-07T09:00:00Z' });
	const order = { date: '2026-12-07', latest_date: '2026-12-08', order_locations: [stop('pickup', 'location'), stop('delivery', 'request')] };
	expect(changeTo(order as unknown as Parameters<typeof changeTo>[0], '2026-12-09', 'Europe/Oslo')).toEqual({
		date: '2026-12-09', latest_date: '', delivery: { earliest: '2026-12-09T07:00:00.000Z', latest: '2026-12-09T09:00:00.000Z' }
	});
});
