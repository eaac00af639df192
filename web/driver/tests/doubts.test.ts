import { describe, expect, test } from 'vitest';
import { wayTo } from '../src/lib/way';
import { doubtsOf, metersBetween } from '../src/lib/stop/doubts';
import { stop } from './stops';

const place = stop(1, { latitude: 59.91, longitude: 10.75 });
const open = Date.parse(place.earliest);

test('distances are those along the ground', () => {
	expect(metersBetween(place, place)).toBe(0);
	expect(metersBetween({ latitude: 59.9139, longitude: 10.7522 }, { latitude: 60.3913, longitude: 5.3221 })).toBeGreaterThan(304_000);
	expect(metersBetween({ latitude: 59.9139, longitude: 10.7522 }, { latitude: 60.3913, longitude: 5.3221 })).toBeLessThan(306_000);
});

describe('what is doubtful about an arrival', () => {
	test.each([
		['nothing, at the place and within its window', { latitude: 59.91, longitude: 10.75 }, open, {}],
		['nothing, where nobody knows where the phone is', undefined, open, {}],
		['nothing, half a kilometer away', { latitude: 59.914, longitude: 10.75 }, open, {}],
		['nothing, where the position may be wrong by that much', { latitude: 59.926, longitude: 10.75, accuracyMeters: 1500 }, open, {}],
		['nothing, half an hour before', undefined, open - 30 * 60e3, {}],
		['the time', undefined, open - 31 * 60e3, { early: 31 * 60e3 }]
	])('is %s', (_, at, now, want) => {
		expect(doubtsOf(place, at, now)).toEqual(want);
	});

	test('is the place, unless that is guessed', () => {
		const at = { latitude: 59.926, longitude: 10.75 };
		expect(doubtsOf(place, at, open).meters).toBeCloseTo(1779, -1);
		expect(doubtsOf({ ...place, positionGuessed: true }, at, open)).toEqual({});
	});
});

test('a phone is led to the address where the position is guessed', () => {
	const guessed = { ...place, positionGuessed: true };
	expect(wayTo('google', guessed, 'Storgata 1, 0155 Oslo')).toContain('destination=Storgata%201%2C%200155%20Oslo');
	expect(wayTo('geo', guessed, 'Storgata 1')).toBe('geo:0,0?q=Storgata%201');
	expect(wayTo('waze', guessed)).toContain('59.91,10.75');
	expect(wayTo('apple', place, 'Storgata 1')).toContain('59.91,10.75');
});
