import { describe, expect, test } from 'vitest';
import { arranged, heldStops, isSame, toHold } from '../src/lib/day/hand/sequence';
import { placingAt } from '../src/lib/day/hand/wish';
import { stopKey, type PlannedStop } from '../src/lib/day/plan';
import { at, row, stop } from './day';

/** Stops by short names: P1 picks order 1 up, D1 delivers it. */
const stops = (names: string): PlannedStop[] =>
	names.split(' ').map((name) => stop(Number(name.slice(1)), { stop: name.startsWith('P') ? 'PICKUP' : 'DELIVERY' }));
const names = (all: PlannedStop[]) => all.map((one) => `${one.stop === 'PICKUP' ? 'P' : 'D'}${one.orderId}`).join(' ');
const key = (name: string) => `${name.slice(1)}-${name.startsWith('P') ? 'PICKUP' : 'DELIVERY'}`;

describe('a stop goes', () => {
	test.each([
		['first among the deliveries, behind what is loaded at the start', 'P1 P2 P3 D1 D2 D3', 'D3', { where: 'first' }, 'P1 P2 P3 D3 D1 D2'],
		['first, with its pickup before it', 'P1 D1 P2 D2', 'D2', { where: 'first' }, 'P1 P2 D2 D1'],
		['first, when the goods are on board already', 'D1 P2 D2', 'D2', { where: 'first' }, 'P2 D2 D1'],
		['to the very beginning if it is a pickup', 'P1 D1 P2 D2', 'P2', { where: 'first' }, 'P2 P1 D1 D2'],
		['last', 'P1 P2 D1 D2', 'D1', { where: 'last' }, 'P1 P2 D2 D1'],
		['last, with its delivery behind it', 'P1 P2 D1 D2', 'P1', { where: 'last' }, 'P2 D2 P1 D1'],
		['after another one', 'P1 P2 P3 D1 D2 D3', 'D1', { where: 'after', at: key('D2') }, 'P1 P2 P3 D2 D1 D3'],
		['before another one', 'P1 P2 P3 D1 D2 D3', 'D3', { where: 'before', at: key('D2') }, 'P1 P2 P3 D1 D3 D2'],
		['nowhere beside a stop that is gone', 'P1 D1', 'D1', { where: 'after', at: key('D9') }, 'P1 D1'],
		['nowhere if it is gone itself', 'P1 D1', 'D7', { where: 'first' }, 'P1 D1']
	] as const)('%s', (_, before, moved, placing, want) => {
		expect(names(arranged(stops(before), key(moved), placing))).toBe(want);
	});
});

test.each([
	['loaded at once', 'P1 P2 P3 D1 D2 D3', 'P3 P2 P1 D3 D2 D1'],
	['loaded in another sequence', 'P2 P1 P3 D1 D2 D3', 'P3 P1 P2 D3 D2 D1'],
	['one after the other', 'P1 D1 P2 D2', 'P2 D2 P1 D1'],
	['partly on board', 'D1 P2 D2 D3', 'D3 P2 D2 D1']
])('a route %s is reversed, and every pickup stays before its delivery', (_, before, want) => {
	expect(names(arranged(stops(before), undefined, { where: 'reverse' }))).toBe(want);
});

test('as much is held as the sequence needs, and what was held before', () => {
	const open = stops('P1 P2 D2 D1');
	expect(names(toHold(open, key('D2'), []))).toBe('P1 P2 D2');
	expect(names(toHold(open, key('P1'), [{ orderId: 2, type: 'delivery' }]))).toBe('P1 P2 D2');
	expect(names(toHold(open, undefined, []))).toBe('P1 P2 D2 D1');
	expect(heldStops(open.slice(0, 1))).toEqual([{ orderId: 1, type: 'pickup' }]);
});

test('a stop that stays where it is changes nothing', () => {
	const open = stops('P1 P2 D1 D2');
	expect(isSame(arranged(open, key('D2'), { where: 'after', at: key('D1') }), open)).toBe(true);
	expect(isSame(arranged(open, key('D2'), { where: 'first' }), open)).toBe(false);
});

test('a drop lies between the stops around that moment', () => {
	const kari = row(1, 'Kari', [9, 10, 11].map((hour, id) => stop(id, { startsAt: at(hour), leavesAt: at(hour, 10) })));
	const dropped = (hours: number, minutes: number) => placingAt(kari, '2-DELIVERY', Date.parse(at(hours, minutes)), stopKey);
	expect(dropped(8, 0)).toEqual({ where: 'before', at: '0-DELIVERY' });
	expect(dropped(9, 30)).toEqual({ where: 'before', at: '1-DELIVERY' });
	expect(dropped(12, 0)).toEqual({ where: 'after', at: '1-DELIVERY' });
	expect(placingAt(row(1, 'Kari', [stop(1)]), '1-DELIVERY', 0, stopKey)).toBeUndefined();
});
