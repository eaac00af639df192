import { describe, expect, test } from 'vitest';
import { changes } from '../src/lib/day/changes';
import type { Stop } from '../src/lib/day/visits';
import { stop } from './stops';

const told = (seen: Stop[], now: Stop[]): string[] =>
	changes(seen, now).map((one) => `${one.stops.map(({ stopId }) => stopId).join('+')} ${one.what}${one.isNext ? ' next' : ''}`);

describe('the news of a route', () => {
	test('is what came, went, moved and has another time', () => {
		const seen = [stop(1, { status: 'completed' }), stop(2), stop(3), stop(4), stop(6)];
		const now = [stop(1, { status: 'completed' }), stop(2, { latest: '2026-12-07T11:00:00Z' }), stop(6), stop(3), stop(5)];
		expect(told(seen, now)).toEqual(['5 came', '4 went', '3 moved', '2 time']);
		expect(told(seen, [...seen])).toEqual([]);
	});

	test('begins with what was cancelled', () => {
		expect(told([stop(1), stop(2)], [stop(1), stop(3), stop(2, { status: 'cancelled' })])).toEqual(['2 cancelled', '3 came']);
		expect(told([stop(1), stop(2, { status: 'cancelled' })], [stop(1), stop(2, { status: 'cancelled' })])).toEqual([]);
	});

	test('names the delivery of an order that is gone, not its pickup as well', () => {
		const order = [stop(1, { stop: 'PICKUP', orderId: 7 }), stop(2, { orderId: 7 })];
		expect(told([...order, stop(3)], [stop(3)])).toEqual(['2 went']);
		expect(told([order[0]!, stop(3)], [stop(3)]), 'where there is no delivery, the pickup').toEqual(['1 went']);
	});

	test('counts stops, whatever the number of their orders', () => {
		const depot = { name: 'Depot', latitude: 59 };
		expect(told([stop(3)], [stop(3), stop(1, depot), stop(2, depot)])).toEqual(['1+2 came']);
		expect(told([stop(1, depot), stop(2, depot), stop(3)], [stop(2, depot), stop(1, depot), stop(3)]), 'orders of one stop').toEqual([]);
	});

	test('says which stop is the next one, where another was', () => {
		expect(told([stop(1), stop(2), stop(3)], [stop(3), stop(1), stop(2)])).toEqual(['3 moved next']);
		expect(told([stop(1), stop(2)], [stop(2), stop(1)]), 'of two that change places').toEqual(['2 moved next']);
		expect(told([stop(1), stop(2)], [stop(4), stop(1), stop(2)])).toEqual(['4 came next']);
		expect(told([stop(1), stop(2)], [stop(1, { status: 'completed' }), stop(2)]), 'after the first its second').toEqual([]);
		expect(told([stop(1), stop(2)], [stop(1, { status: 'cancelled' }), stop(2)])).toEqual(['1 cancelled']);
	});

	test('is nothing of what follows from the own acts of a driver', () => {
		const seen = [stop(1), stop(2), stop(3), stop(4)];
		expect(told(seen, [stop(3, { status: 'arrived' }), stop(4), stop(1), stop(2)])).toEqual([]);
		expect(told(seen, [stop(3, { status: 'completed' }), stop(4), stop(2), stop(1, { status: 'cancelled' })])).toEqual(['1 cancelled']);
		expect(told(seen, [stop(1, { status: 'completed' }), stop(4), stop(2), stop(3)]), 'in turn').toEqual(['4 moved next']);
	});

	test('is nothing of a delivery whose pickup failed', () => {
		expect(told([stop(1, { stop: 'PICKUP', orderId: 7 }), stop(2, { orderId: 7 })], [stop(1, { stop: 'PICKUP', orderId: 7, status: 'failed' })])).toEqual([]);
	});
});
