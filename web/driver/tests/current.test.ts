import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dayShown, said, skewOf, type SaidDay } from '../src/lib/day/current';

const zone = 'Europe/Oslo';
const minutes = (count: number): number => count * 60e3;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** An ordinary night, and those with a clock change: when each begins and ends. */
const nights = [
	{ date: '2026-06-10', next: '2026-06-11', midnight: '2026-06-10T22:00:00Z', endsAt: '2026-06-11T04:00:00Z' },
	{ date: '2026-03-28', next: '2026-03-29', midnight: '2026-03-28T23:00:00Z', endsAt: '2026-03-29T04:00:00Z' },
	{ date: '2026-10-24', next: '2026-10-25', midnight: '2026-10-24T22:00:00Z', endsAt: '2026-10-25T05:00:00Z' }
];

describe.each(nights)('in the night of $date', ({ date, next, midnight, endsAt }) => {
	const of: SaidDay = { date, skew: 0 };
	const shown = (endedAt?: string, route: { endsAt: string } | undefined = { endsAt }): string =>
		dayShown(of, route, endedAt, zone, new Date());

	test('a route that goes on after midnight is shown without a network, until three hours after its end', () => {
		for (const [at, want] of [
			[Date.parse(midnight) - 1, date],
			[Date.parse(midnight), date],
			[Date.parse(endsAt) + minutes(180) - 1, date],
			[Date.parse(endsAt) + minutes(180), next]
		] as const) {
			vi.setSystemTime(at);
			expect(shown()).toBe(want);
		}
	});

	test('a route that was ended is shown for another hour', () => {
		const ended = Date.parse(endsAt) - minutes(5);
		vi.setSystemTime(ended + minutes(59));
		expect(shown(new Date(ended).toISOString())).toBe(date);
		vi.advanceTimersByTime(minutes(1));
		expect(shown(new Date(ended).toISOString())).toBe(next);
	});

	test('a route of the day gives way at midnight', () => {
		vi.setSystemTime(Date.parse(midnight) - 1);
		const day = { endsAt: new Date(Date.parse(midnight) - minutes(8 * 60)).toISOString() };
		expect(shown(undefined, day)).toBe(date);
		vi.advanceTimersByTime(1);
		expect(shown(undefined, day)).toBe(next);
		expect(dayShown(of, undefined, undefined, zone, new Date())).toBe(next);
	});
});

describe('the day that the service says', () => {
	test('counts before the calendar of a phone whose clock is wrong', () => {
		for (const wrong of [-3, 3]) {
			vi.setSystemTime(Date.parse('2026-11-24T09:00:00Z') + wrong * minutes(24 * 60));
			const skew = skewOf('Tue, 24 Nov 2026 09:00:00 GMT', new Date());
			const of = said(undefined, '2026-11-24', skew);
			expect(dayShown(of, { endsAt: '2026-11-24T15:00:00Z' }, undefined, zone, new Date())).toBe('2026-11-24');
			vi.advanceTimersByTime(minutes(20 * 60));
			expect(dayShown(of, { endsAt: '2026-11-24T15:00:00Z' }, undefined, zone, new Date())).toBe('2026-11-25');
		}
	});

	test('is the calendar of the phone before the service has said anything', () => {
		vi.setSystemTime('2026-11-24T23:30:00Z');
		expect(dayShown(undefined, undefined, undefined, zone, new Date())).toBe('2026-11-25');
	});

	test('leaves a route that was ended here on the screen for an hour', () => {
		vi.setSystemTime('2026-06-11T04:00:00Z');
		const of = said({ date: '2026-06-10', skew: 0 }, '2026-06-11', 0, '2026-06-11T03:58:00Z');
		const shown = (it: SaidDay): string => dayShown(it, { endsAt: '2026-06-12T04:00:00Z' }, undefined, zone, new Date());
		expect(shown(of)).toBe('2026-06-10');
		expect(shown(said(of, '2026-06-11', 0))).toBe('2026-06-10');
		vi.advanceTimersByTime(minutes(58));
		expect(shown(of)).toBe('2026-06-11');
		expect(shown(said({ date: '2026-06-10', skew: 0 }, '2026-06-11', 0))).toBe('2026-06-11');
	});

	test('does not take a slow answer for a wrong clock', () => {
		vi.setSystemTime('2026-11-24T09:00:00Z');
		expect(skewOf('Tue, 24 Nov 2026 08:58:30 GMT', new Date())).toBe(0);
		expect(skewOf(null, new Date())).toBe(0);
	});
});
