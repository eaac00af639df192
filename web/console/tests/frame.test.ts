import { beforeEach, describe, expect, test, vi } from 'vitest';
import { boundsOf, hullOf, isWithin, mostOf, remember, remembered } from '../src/lib/map/frame';
import { isInside, type Spot } from '../src/lib/map/lasso.svelte';

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const oslo = [at(59.91, 10.75), at(59.93, 10.8), at(59.74, 10.2), at(60.05, 11.1)];

test('most of the work is where stops are near each other, without those far away', () => {
	expect(mostOf([at(55.67, 12.56), ...oslo, at(69.65, 18.95), at(0.1, 0.1)])).toEqual(expect.arrayContaining(oslo));
	expect(mostOf([at(55.67, 12.56), ...oslo, at(69.65, 18.95)])).toHaveLength(oslo.length);
	expect(mostOf([])).toEqual([]);
});

test('bounds hold all of them', () => {
	expect(boundsOf(oslo)).toEqual([10.2, 59.74, 11.1, 60.05]);
	expect(oslo.every((one) => isWithin(one, boundsOf(oslo)))).toBe(true);
	expect(isWithin(at(59.91, 12), boundsOf(oslo))).toBe(false);
});

test('a hull is around all of them, and closed', () => {
	const ring = hullOf(oslo);
	expect(ring[0]).toEqual(ring.at(-1));
	expect(oslo.every(({ longitude, latitude }) => isInside([longitude, latitude], ring))).toBe(true);
	expect(isInside([10.2, 60.05], ring)).toBe(false);
	expect(hullOf([at(59.9, 10.7)])).toHaveLength(5);
});

test('a lasso has what is inside, also where it is bent', () => {
	const bent: Spot[] = [[0, 0], [10, 0], [10, 10], [5, 2], [0, 10]];
	expect(([[1, 1], [9, 5], [5, 5], [11, 5], [5, 1]] as Spot[]).map((spot) => isInside(spot, bent))).toEqual([true, true, false, false, true]);
});

describe('a frame is remembered', () => {
	const kept = new Map<string, string>();
	beforeEach(() => {
		kept.clear();
		vi.stubGlobal('sessionStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
	});

	test('while one of the stops is in it', () => {
		remember('map', [10, 59, 11, 60]);
		expect(remembered('map', oslo)).toEqual([10, 59, 11, 60]);
		expect(remembered('map', [at(55.67, 12.56)])).toBeUndefined();
		expect(remembered('other', oslo)).toBeUndefined();
	});

	test('unless it is none', () => {
		kept.set('map', '[1, "x"]');
		expect(remembered('map', oslo)).toBeUndefined();
		kept.set('map', '{');
		expect(remembered('map', oslo)).toBeUndefined();
	});
});
