import { describe, expect, test } from 'vitest';
import { breaksBetween, crewOf, isIn, ordersIn, ordersOf, planOf, rowsOf, visitsOf } from '../src/lib/day/rows';
import type { Plan } from '../src/lib/day/plan';
import { at, route, row, stop, worker } from './day';

describe('the rows of a day', () => {
	test('are the routes and the drivers who work without one, by name', () => {
		const rows = rowsOf([route(1, 'Ola', [stop(7)])], [worker(1, 'Ola'), worker(2, 'Kari'), worker(3, 'Anders')]);
		expect(rows.map(({ driverName, stops }) => [driverName, stops.length])).toEqual([['Anders', 0], ['Kari', 0], ['Ola', 1]]);
		expect(rows.map(({ route }) => Boolean(route))).toEqual([false, false, true]);
	});

	test('keep a route whose driver no longer works', () => {
		const [only] = rowsOf([route(1, 'Ola', [stop(7)])], []);
		expect(only).toMatchObject({ driverName: 'Ola', works: undefined });
	});

	test('know when a driver works, also with a route', () => {
		const rows = rowsOf([route(1, 'Ola', [])], [worker(1, 'Ola', { startsAt: at(6), endsAt: at(14) })]);
		expect(rows[0]?.works).toEqual({ from: Date.parse(at(6)), to: Date.parse(at(14)) });
	});

	test('name the vehicle by what is known of it', () => {
		const rows = rowsOf(
			[route(1, 'A', [], { vehicleTypeName: 'Van', registration: 'EK 12345' })],
			[worker(2, 'B', { vehicleTypeName: 'Truck' }), worker(3, 'C', { registration: 'EK 99999' }), worker(4, 'D')]
		);
		expect(rows.map(({ vehicle }) => vehicle)).toEqual(['Van, EK 12345', 'Truck', 'EK 99999', '']);
	});

	test('have eight colors, and namesakes in the order of their numbers', () => {
		const rows = rowsOf([], [9, 8, 7, 6, 5, 4, 3, 2, 1].map((id) => worker(id, 'Ola')));
		expect(rows.map(({ driverId }) => driverId)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
		expect(rows.map(({ paint }) => [paint.color, paint.dash])).toEqual([...[0, 1, 2, 3, 4, 5, 6, 7].map((color) => [color, 0]), [0, 1]]);
	});
});

test('an order with two stops counts once, in the sequence of the route', () => {
	const stops = [stop(2, { stop: 'PICKUP' }), stop(1), stop(2)];
	expect(ordersIn(stops)).toBe(2);
	expect(ordersOf(row(1, 'Ola', stops))).toEqual([2, 1]);
});

test('each break of a route is listed once, before the stop that follows it', () => {
	const stops = [stop(1, { startsAt: at(9) }), stop(2, { startsAt: at(12) })];
	const breaks = [8, 9, 11, 12, 14].map((hour) => ({ startsAt: at(hour), endsAt: at(hour, 30) }));
	const pausing = route(1, 'Ola', stops, { breaks });
	const hours = (after?: (typeof stops)[0], before?: (typeof stops)[0]) =>
		breaksBetween(pausing, after, before).map(({ startsAt }) => breaks.findIndex((one) => one.startsAt === startsAt));
	expect([hours(undefined, stops[0]), hours(stops[0], stops[1]), hours(stops[1])]).toEqual([[0], [1, 2], [3, 4]]);
	expect(breaksBetween(undefined)).toEqual([]);
});

test.each([
	['', null, true],
	['', 4, true],
	['0', null, true],
	['0', 4, false],
	['4', 4, true],
	['4', null, false]
])('department %j holds what belongs to %j: %j', (department, departmentId, want) => {
	expect(isIn(department)({ departmentId })).toBe(want);
});

test('the plan of a department is found, also that of none', () => {
	const plans = [{ departmentId: null, version: 3 }, { departmentId: 4, version: 8 }] as Plan[];
	expect(planOf(plans, 4)?.version).toBe(8);
	expect(planOf(plans, null)?.version).toBe(3);
	expect(planOf(plans, 5)).toBeUndefined();
});

test('stops at one place are one visit', () => {
	const [one, two, three, away] = [
		stop(1, { stop: 'PICKUP', name: 'Terminal', sameVisit: false, startsAt: at(7), leavesAt: at(7, 5) }),
		stop(2, { stop: 'PICKUP', name: 'Terminal', sameVisit: true, startsAt: at(7, 5), leavesAt: at(7, 8) }),
		stop(3, { stop: 'PICKUP', name: 'Terminal', sameVisit: true, startsAt: at(7, 8), leavesAt: at(7, 11) }),
		stop(1, { sameVisit: false })
	];
	const again = [stop(4, { sameVisit: false }), stop(5, { sameVisit: true })];
	expect(visitsOf([one, two, three, away, ...again])).toEqual([
		{ name: 'Terminal', stops: [one, two, three], from: at(7), to: at(7, 11) },
		{ name: '', stops: [away], from: at(9), to: at(9, 5) },
		{ name: '', stops: again, from: at(9), to: at(9, 5) }
	]);
	expect(visitsOf([])).toEqual([]);
});

test('a shift of two has both names', () => {
	expect(crewOf({ driverName: 'Kari', coDriver: null })).toBe('Kari');
	expect(crewOf({ driverName: 'Kari', coDriver: { id: 2, name: 'Ola', sharesDriving: false } })).toBe('Kari + Ola');
});
