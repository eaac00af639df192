import { expect, test } from 'vitest';
import { decoded } from '../../shared/polyline';
import { height, sketchOf, width } from '../src/lib/day/sketch';
import { stop } from './stops';

test('an encoded polyline is decoded', () => {
	expect(decoded('_p~iF~ps|U_ulLnnqC_mqNvxq`@')).toEqual([[-120.2, 38.5], [-120.95, 40.7], [-126.453, 43.252]]);
	expect(decoded('')).toEqual([]);
});

const stops = [stop(1, { latitude: 38.5, longitude: -120.2 }), stop(2, { latitude: 43.252, longitude: -126.453, polyline: '_p~iF~ps|U_ulLnnqC_mqNvxq`@' })];

test('a sketch fits into its frame, north up', () => {
	for (const whole of [true, false]) {
		const drawn = sketchOf(stops, 2, whole);
		expect(drawn.stops.map(({ id, isNext }) => [id, isNext])).toEqual([[1, false], [2, true]]);
		for (const { x, y } of drawn.stops) {
			expect(x).toBeGreaterThanOrEqual(0);
			expect(x).toBeLessThanOrEqual(width);
			expect(y).toBeGreaterThanOrEqual(0);
			expect(y).toBeLessThanOrEqual(height);
		}
		expect(drawn.stops[1]!.y).toBeLessThan(drawn.stops[0]!.y);
		expect(drawn.leg.match(/[ML]/g)).toHaveLength(4);
	}
});

test('a leg that nobody has drawn is a straight line', () => {
	expect(sketchOf([stops[0]!, { ...stops[1]!, polyline: null }], 2, false).leg.match(/[ML]/g)).toHaveLength(2);
	expect(sketchOf([stops[0]!], 1, true, [-120, 38]).here).toBeDefined();
});

test('at the first stop there is no leg', () => {
	expect(sketchOf(stops, 1, false).isWay).toBe(false);
	expect(sketchOf(stops, 2, false).isWay).toBe(true);
});
