// The parts of a day for tests: 7 December 2026 in Oslo, with a test's changes.
import type { PlannedStop, Route, Worker } from '../src/lib/day/plan';
import type { Row } from '../src/lib/day/rows';
import type { Place } from '../src/lib/day/day.svelte';

/** The start of the day, in milliseconds. */
export const beginning = Date.parse('2026-12-06T23:00:00Z');

/** A time of the day by the clock of Oslo, as the contract writes moments. */
export const at = (hours: number, minutes = 0): string => new Date(beginning + (hours * 60 + minutes) * 60_000).toISOString();

/** A delivery that takes five minutes, at nine by default. */
export const stop = (orderId: number, given: Partial<PlannedStop> = {}): PlannedStop =>
	({
		orderId, externalId: `A-${orderId}`, stop: 'DELIVERY', orderStatusId: 2, startsAt: at(9), leavesAt: at(9, 5),
		eta: at(9), earliest: at(8), latest: at(12), locked: false, lock: null, ...given
	}) as PlannedStop;

export const route = (driverId: number, driverName: string, stops: PlannedStop[], given: Partial<Route> = {}): Route =>
	({
		driverId, driverName, departmentId: null, registration: null, vehicleTypeName: null, startsAt: at(8), endsAt: at(16), stops, ...given
	}) as Route;

export const worker = (driverId: number, driverName: string, given: Partial<Worker> = {}): Worker => ({
	driverId, driverName, departmentId: null, startsAt: at(7), endsAt: at(15), registration: null, vehicleTypeName: null, ...given
});

export const row = (driverId: number, driverName: string, stops: PlannedStop[] = [], given: Partial<Row> = {}): Row => ({
	driverId, driverName, crew: driverName, departmentId: null, vehicle: '', vehicleType: '', paint: { color: 0, dash: 0 }, works: undefined, route: undefined, stops, ...given
});

export const place = (orderId: number, driverId: number | null, given: Partial<Place> = {}): Place => ({
	orderId, number: `A-${orderId}`, departmentId: null, driverId, driverName: '', locked: false, lock: null, begun: false, ...given
});
