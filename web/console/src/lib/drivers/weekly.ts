// Working days by a weekly pattern: the same hours on the same weekdays, from
// one day to another.
import { daysAfter } from '$shared/moments';
import { weekdayOf } from '../dates/reading';
import type { Workday } from './workdays';

/** How many days the service takes at once. */
export const mostDays = 366;

export interface PatternDay {
	works: boolean;
	starts: string;
	ends: string;
}

const usual = { starts: '07:00', ends: '15:00' };

/** A pattern from the first week that is shown, or from Monday to Friday if nobody works in it. */
export function patternOf(monday: string, workdays: Map<string, Workday>): PatternDay[] {
	const week = weekOf(monday, workdays);
	const first = week.find((one) => one);
	return week.map((one, day) => ({
		works: first ? Boolean(one) : day < 5,
		starts: one?.starts ?? first?.starts ?? usual.starts,
		ends: one?.ends ?? first?.ends ?? usual.ends
	}));
}

/** The workdays of a week from Monday on. */
export const weekOf = (monday: string, workdays: Map<string, Workday>): (Workday | undefined)[] =>
	Array.from({ length: 7 }, (_, day) => workdays.get(daysAfter(monday, day)));

/**
 * The workdays of a period. Each has what the same weekday of a week has besides hours, and a break
 * of some minutes in the middle if that weekday has none.
 */
export function workdaysOf(pattern: PatternDay[], from: string, until: string, week: (Workday | undefined)[], minutes: number): Workday[] {
	const days: Workday[] = [];
	for (let date = from; date <= until && days.length <= mostDays; date = daysAfter(date, 1)) {
		const weekday = weekdayOf(date);
		const one = pattern[weekday];
		if (!one?.works) continue;
		const { break: before, more_breaks: more, ...others } = week[weekday] ?? week.find((day) => day) ?? ({} as Partial<Workday>);
		const sameHours = week[weekday]?.starts === one.starts && week[weekday]?.ends === one.ends;
		const kept = sameHours && before && before.minutes === minutes;
		days.push({
			...others,
			date,
			starts: one.starts,
			ends: one.ends,
			...(kept ? { break: before, ...(more && { more_breaks: more }) } : minutes > 0 && { break: breakIn(one, minutes) })
		});
	}
	return days;
}

/** A break between a third and two thirds of a shift, which may end on the next day. */
function breakIn({ starts, ends }: PatternDay, minutes: number): NonNullable<Workday['break']> {
	const [begin, end] = [minutesOf(starts), minutesOf(ends)];
	const length = (end - begin + 24 * 60) % (24 * 60) || 24 * 60;
	const at = (share: number) => clockOf(begin + Math.round((length * share) / 15) * 15);
	return { minutes, earliest: at(1 / 3), latest: at(2 / 3) };
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
const clockOf = (minutes: number): string =>
	`${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
