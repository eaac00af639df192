import { expect, test } from 'vitest';
import { isNear, left, screenClosed, sinceWhen } from '../src/lib/stop/near';

const stop = { latitude: 59.91, longitude: 10.7, positionGuessed: false, earliest: '2026-12-07T09:00:00Z' };
const now = Date.parse('2026-12-07T09:10:00Z');
const here = { latitude: 59.9109, longitude: 10.7, accuracyMeters: 12 }; // 100 m

test('the arrival is proposed where the phone is at the stop', () => {
	expect(isNear(stop, here, now)).toBe(true);
});

test.each([
	['there is no position', stop, undefined, now],
	['it is 200 m away', stop, { ...here, latitude: 59.9118 }, now],
	['the position is vague', stop, { ...here, accuracyMeters: 400 }, now],
	['its accuracy is unknown', stop, { ...here, accuracyMeters: undefined }, now],
	['the position of the stop is a guess', { ...stop, positionGuessed: true }, here, now],
	['the window opens much later', stop, here, now - 3600e3]
])('it is not, where %s', (_, at, phone, when) => {
	expect(isNear(at, phone, when)).toBe(false);
});

test('the phone has been there since its screen showed it first, until it leaves', () => {
	const [first, later] = [new Date(now), new Date(now + 5000)];
	expect(sinceWhen(7, first)).toEqual(first);
	expect(sinceWhen(7, later)).toEqual(first);
	left(7);
	expect(sinceWhen(7, later)).toEqual(later);
});

test.each([
	['a minute', 60e3, true],
	['an hour', 3600e3, false]
])('a screen that was closed for %s keeps since when the phone is there: %#', (_, away, still) => {
	const [first, later] = [new Date(now), new Date(now + away)];
	sinceWhen(8, first);
	screenClosed(8, first);
	expect(sinceWhen(8, later)).toEqual(still ? first : later);
	expect(sinceWhen(8, later)).toEqual(still ? first : later);
	left(8);
});
