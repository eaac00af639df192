import { expect, test } from 'vitest';
import type { Schema } from '$shared/api';
import { applied } from '../src/lib/day/applied';
import type { Route } from '../src/lib/outbox/store';
import { stop } from './stops';

type Changes = Schema<'DriverRouteChanges'>;

const [first, second] = [stop(1, { eta: '2026-12-07T09:00:00Z' }), stop(2)];
const route = { date: '2026-12-07', driverId: 17, name: 'Nora Berg', stops: [first, second] } as unknown as Route;
const changes = (given: Partial<Changes>): Changes => ({
	date: '2026-12-07', driverId: 17, revision: 'b', isComplete: false, stops: [], progress: [], ...given
});

test('progress changes only what it names', () => {
	const now = applied(route, changes({ progress: [{ stopId: 1, status: 'arrived', eta: null }] }));
	expect(now).toEqual({ ...route, stops: [{ ...first, status: 'arrived', eta: null }, second] });
});

test('stops come, go and change places', () => {
	const third = stop(3);
	const now = applied(route, changes({ stops: [third], sequence: [3, 1], route: { ...route, name: 'Nora Lie', stops: [] } }));
	expect(now).toEqual({ ...route, name: 'Nora Lie', stops: [third, first] });
});

test('a delay moves the ETAs of consecutive stops, before progress does', () => {
	const stops = ['09:00', '09:10', '09:20', '09:30'].map((time, i) => stop(i + 1, { eta: `2026-12-07T${time}:00Z` }));
	const delays = [{ fromStopId: 2, throughStopId: 4, seconds: 300 }];
	const now = applied({ ...route, stops }, changes({ delays, progress: [{ stopId: 4, eta: '2026-12-07T09:40:00Z' }] }));
	expect(now?.stops.map(({ eta }) => eta?.slice(11, 16))).toEqual(['09:00', '09:15', '09:25', '09:40']);
	expect(applied(route, changes({ delays }))).toBeUndefined();
});

test('a whole route replaces what the phone has', () => {
	const now = applied(route, changes({ isComplete: true, route: { ...route, stops: [] }, sequence: [2], stops: [second] }));
	expect(now).toEqual({ ...route, stops: [second] });
});

test('changes of another version are noticed', () => {
	expect(applied(undefined, changes({}))).toBeUndefined();
	expect(applied(route, changes({ progress: [{ stopId: 9, status: 'arrived' }] }))).toBeUndefined();
	expect(applied(route, changes({ sequence: [1, 9] }))).toBeUndefined();
});
