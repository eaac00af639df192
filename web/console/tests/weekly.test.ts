import { describe, expect, test } from 'vitest';
import { patternOf, workdaysOf } from '../src/lib/drivers/weekly';
import type { Workday } from '../src/lib/drivers/workdays';

const monday = '2026-11-23';
const break30 = { minutes: 30, earliest: '11:00', latest: '13:00' };
const known: Workday[] = [
	{ date: '2026-11-23', starts: '06:00', ends: '14:00', break: break30, vehicle_id: 7 },
	{ date: '2026-11-25', starts: '22:00', ends: '06:00' }
];
const byDay = new Map(known.map((day) => [day.date, day]));

test('a driver without working days starts from Monday to Friday', () => {
	expect(patternOf(monday, new Map()).map(({ works }) => works)).toEqual([true, true, true, true, true, false, false]);
});

describe('a week that is known', () => {
	const pattern = patternOf(monday, byDay);
	const week = [known[0], undefined, known[1], undefined, undefined, undefined, undefined];

	test('gives its days and hours', () => {
		expect(pattern.map(({ works }) => works)).toEqual([true, false, true, false, false, false, false]);
		expect(pattern[2]).toEqual({ works: true, starts: '22:00', ends: '06:00' });
		expect(pattern[3]).toEqual({ works: false, starts: '06:00', ends: '14:00' });
	});

	test('is repeated until the last day, with all that its days have', () => {
		const days = workdaysOf(pattern, '2026-12-01', '2026-12-14', week, 30);
		expect(days.map(({ date }) => date)).toEqual(['2026-12-02', '2026-12-07', '2026-12-09', '2026-12-14']);
		expect(days[1]).toEqual({ ...known[0], date: '2026-12-07' });
	});

	test('gets a break within the hours of each day', () => {
		expect(workdaysOf(pattern, '2026-12-02', '2026-12-02', week, 45)).toEqual([
			{ date: '2026-12-02', starts: '22:00', ends: '06:00', break: { minutes: 45, earliest: '00:45', latest: '03:15' } }
		]);
		const later = pattern.map((one) => ({ ...one, starts: '13:00', ends: '21:00' }));
		expect(workdaysOf(later, '2026-12-07', '2026-12-07', week, 30)[0]?.break).toEqual({ minutes: 30, earliest: '15:45', latest: '18:15' });
	});

	test('has no break if it is set to none', () => {
		expect(workdaysOf(pattern, '2026-12-07', '2026-12-07', week, 0)[0]).toEqual({
			date: '2026-12-07', starts: '06:00', ends: '14:00', vehicle_id: 7
		});
	});
});

test('a weekday that is new has the vehicle of the first one', () => {
	const pattern = patternOf(monday, byDay).map((one) => ({ ...one, works: true }));
	const week = [known[0], undefined, known[1], undefined, undefined, undefined, undefined];
	expect(workdaysOf(pattern, '2026-12-08', '2026-12-08', week, 30)[0]?.vehicle_id).toBe(7);
});
