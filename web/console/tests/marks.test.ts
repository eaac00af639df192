import { beforeEach, describe, expect, test, vi } from 'vitest';
import { marksOf, type Drawn } from '../src/lib/day/axis';
import { actualOf, behind, differenceOf, kindOf, labelOf, latenessOf, waitsOf, wordsOf } from '../src/lib/day/marks';
import type { PlannedStop } from '../src/lib/day/plan';
import { at, stop } from './day';
import { speaking } from './words';

vi.mock('$shared/session.svelte', () => ({ zone: () => 'Europe/Oslo' }));

beforeEach(() =>
	speaking({
		'board.slack': '{time} to spare', 'board.late_by': '{time} late', 'board.arrived': 'arrived {time}', 'board.arrived_later': 'arrived {time}, {by} later',
		'board.arrived_earlier': 'arrived {time}, {by} earlier', 'day.visit': { one: '{count} stop', other: '{count} stops' }, 'board.pickups': { one: '{count} pickup', other: '{count} pickups' },
		'board.deliveries': { one: '{count} delivery', other: '{count} deliveries' }, 'stop.delivery': 'Delivery', 'day.late': 'Late', 'day.risk': 'At risk', 'day.within': '{from} to {to}'
	})
);

const planned = (given: Partial<PlannedStop> = {}) => stop(1044, { customer: 'Fjord Møbler', arrivesAt: at(9), slackSeconds: 2400, ...given });
const drawnAs = (stops: PlannedStop[], width: number, room: number): Drawn => ({ mark: marksOf(stops, 10)[0]!, left: 0, width, room, line: 0 });
const said = (stops: PlannedStop[], width: number, room: number, hasDetails = true) => labelOf(drawnAs(stops, width, room), hasDetails).text;
const visit = [planned({ stop: 'PICKUP', name: 'Terminal' }), planned({ sameVisit: true, orderId: 2 }), planned({ sameVisit: true, orderId: 3 })];

describe('a mark says', () => {
	test.each([
		[24, 24, '44'],
		[50, 50, '↓1044'],
		[24, 140, '↓A-1044'],
		[24, 200, '↓A-1044 · Fjord Møbler'],
		[24, 300, '↓A-1044 · Fjord Møbler · 08:00–12:00'],
		[24, 500, '↓A-1044 · Fjord Møbler · 08:00–12:00 · 40 min to spare']
	])('in %d pixels, with %d until the next: %s', (width, room, want) => {
		expect(said([planned()], width, room)).toBe(want);
	});

	test('no more than fits without details', () => {
		expect(said([planned()], 24, 500, false)).toBe('44');
	});

	test('how many stops a visit has', () => {
		expect(said(visit, 24, 24)).toBe('×3');
		expect(said(visit, 24, 200)).toBe('↕×3 · Terminal');
	});

	test('by signs that it is begun, over or late', () => {
		expect(said([planned({ orderStatusId: 4 })], 60, 60)).toBe('▸↓1044');
		expect(said([planned({ orderStatusId: 6, endedAt: at(9) })], 60, 60)).toBe('✓↓1044');
		expect(said([planned({ orderStatusId: 7 })], 60, 60)).toBe('✕↓1044');
		expect(said([planned({ eta: at(12, 5) })], 60, 60)).toBe('!↓1044');
	});
});

test('a visit is as late as its latest stop, and of both kinds', () => {
	const mark = (...stops: PlannedStop[]) => marksOf(stops.map((one, index) => ({ ...one, sameVisit: index > 0 })), 10)[0]!;
	const [late, risk] = [planned({ eta: at(12, 5) }), planned({ eta: at(11, 55) })];
	expect([latenessOf(mark(planned(), risk)), latenessOf(mark(risk, late)), latenessOf(mark(planned()))]).toEqual(['risk', 'late', '']);
	expect([kindOf(mark(...visit)), kindOf(mark(planned())), kindOf(mark(visit[0]!))]).toEqual(['both', 'delivery', 'pickup']);
	expect(wordsOf(mark(...visit))).toContain('3 stops, Terminal, 09:00–09:05, 1 pickup, 2 deliveries');
});

test('planned and actual times are compared', () => {
	expect(differenceOf(planned())).toBe('');
	expect(differenceOf(planned({ arrivedAt: at(9) }))).toBe('arrived 09:00');
	expect(differenceOf(planned({ arrivedAt: at(9, 12) }))).toBe('arrived 09:12, 12 min later');
	expect(differenceOf(planned({ arrivedAt: at(8, 50) }))).toBe('arrived 08:50, 10 min earlier');
	expect(wordsOf(marksOf([planned({ arrivedAt: at(9, 12) })], 10)[0]!)).toContain('12 min later');
	expect(behind([planned({ arrivedAt: at(9, 2) }), planned({ arrivedAt: at(9, 12) }), planned()])).toBe(720);
	expect(behind([planned()])).toBeUndefined();
});

test('what was driven ends now where somebody still is', () => {
	const now = Date.parse(at(10));
	const parts = actualOf([planned(), planned({ arrivedAt: at(9), endedAt: at(9, 6) }), planned({ arrivedAt: at(9, 50) })], now);
	expect(parts).toEqual([
		{ from: Date.parse(at(9)), to: Date.parse(at(9, 6)) },
		{ from: Date.parse(at(9, 50)), to: now }
	]);
});

test('a driver waits until the window opens', () => {
	const stops = [planned({ arrivesAt: at(8), setupSeconds: 600 }), planned({ arrivesAt: at(8, 59), setupSeconds: 0 })];
	expect(waitsOf(stops)).toEqual([{ from: Date.parse(at(8)), to: Date.parse(at(8, 50)) }]);
});
