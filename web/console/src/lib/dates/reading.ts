// Dates and times as people type them, in any language of the console:
// "i morgen", "25/11", "fre", "uke 49", "0730". The day comes before the month.
import { daysAfter, isDay } from '$shared/moments';

/** What a text means, or why it means nothing: the time of a moment can be missing. */
export type Read = { value: string } | { wrong: 'unreadable' | 'no_time' };

/** What a field holds: 2026-11-25, 2026-11-25T10:40 or 10:40. */
export type Kind = 'day' | 'moment' | 'time';

/** The moment now, such as 2026-11-25T10:40, and the day of a time that is typed alone. */
export interface Here {
	now: string;
	base?: string;
}

const locales = ['nb', 'en-GB', 'da'];

/** Reads a text. An empty one is an empty value. */
export function read(kind: Kind, text: string, here: Here): Read {
	const typed = text.trim().toLowerCase().replace(/\s+/g, ' ');
	if (!typed) return { value: '' };
	if (kind === 'moment') return momentIn(typed, here);
	const value = kind === 'day' ? dayIn(typed, here.now.slice(0, 10)) : timeIn(typed);
	return value ? { value } : { wrong: 'unreadable' };
}

function momentIn(text: string, here: Here): Read {
	const now = here.now.slice(0, 10);
	if (locales.some((locale) => relative(locale, 0, 'second') === text)) return { value: here.now };
	const time = timeIn(text);
	if (time) return { value: `${here.base || now}T${time}` };
	const words = text.split(/(?<=^\d{4}-\d\d-\d\d)t| /);
	for (let at = words.length - 1; at > 0; at--) {
		const [left, right] = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
		for (const [day, clock] of [[left, right], [right, left]] as const) {
			const [date, hour] = [dayIn(day, now), timeIn(clock)];
			if (date && hour) return { value: `${date}T${hour}` };
		}
	}
	return { wrong: dayIn(text, now) ? 'no_time' : 'unreadable' };
}

function timeIn(text: string): string | undefined {
	const found = /^(?:kl\.? ?|at )?(\d{1,2})(?:[:. ]?(\d{2}))?(?::\d{2})?(?: ?(am|pm))?$/.exec(text);
	if (!found) return undefined;
	const [, typed, minutes = '00', half] = found;
	let hours = Number(typed);
	if (half && (hours < 1 || hours > 12)) return undefined;
	if (half) hours = (hours % 12) + (half === 'pm' ? 12 : 0);
	return hours < 24 && Number(minutes) < 60 ? `${String(hours).padStart(2, '0')}:${minutes}` : undefined;
}

function dayIn(text: string, today: string): string | undefined {
	for (const locale of locales) {
		for (const days of [-2, -1, 0, 1, 2]) {
			const name = relative(locale, days, 'day');
			if (text === name || text === name.replace(/ /g, '')) return daysAfter(today, days);
		}
	}
	if (/^[+-]\d{1,3}$/.test(text)) return daysAfter(today, Number(text));
	const [, named = '', rest = ''] = /^([a-zæøå]{2,})[.,]?(?: (.*)|$)/.exec(text) ?? [];
	const weekday = weekdays.findIndex((names) => names.some((name) => name.startsWith(named)));
	if (!named || weekday < 0) return dateIn(text, today);
	if (!rest) return daysAfter(today, (weekday - weekdayOf(today) + 7) % 7);
	const monday = weekIn(rest, today);
	return monday ? daysAfter(monday, weekday) : dateIn(rest, today);
}

/** The Monday of a week of the year that has a number. */
function weekIn(text: string, today: string): string | undefined {
	const found = /^(?:uke|uge|week|u|w) ?(\d{1,2})$/.exec(text);
	const week = Number(found?.[1]);
	if (!found || week < 1 || week > 53) return undefined;
	// The fourth of January is always in the first week.
	const monday = nearest(today, (year) => {
		const first = `${year}-01-04`;
		return daysAfter(first, (week - 1) * 7 - weekdayOf(first));
	});
	return monday && weekOf(monday) === week ? monday : undefined;
}

/** The number of a day's week, as calendars in Europe count them. */
export function weekOf(day: string): number {
	const thursday = daysAfter(day, 3 - weekdayOf(day));
	const days = (Date.parse(thursday) - Date.parse(`${thursday.slice(0, 4)}-01-01`)) / 86_400_000;
	return Math.floor(days / 7) + 1;
}

/** 0 for Monday to 6 for Sunday. */
export const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

function dateIn(text: string, today: string): string | undefined {
	const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
	if (iso) return dayOf(iso[1]!, Number(iso[2]), Number(iso[3]));
	const worded = /^(\d{1,2})\.? ?([a-zæøå]{3,})\.?,?(?: (\d{4}|\d{2}))?$/.exec(text);
	const month = months.findIndex((names) => names.some((name) => worded && name.startsWith(worded[2]!)));
	if (worded && month >= 0) return inYear(today, Number(worded[1]), month + 1, worded[3]);
	const numbers =
		/^(\d{1,2})[./\- ](\d{1,2})(?:\.|(?:[./\- ]+(\d{4}|\d{2})))?$/.exec(text) ?? /^(\d{2})(\d{2})(\d{4}|\d{2})?$/.exec(text);
	if (numbers) return inYear(today, Number(numbers[1]), Number(numbers[2]), numbers[3]);
	const alone = /^(\d{1,2})\.?$/.exec(text);
	return alone ? nextOf(today, Number(alone[1])) : weekIn(text, today);
}

/** A day of a month, in the year that is nearest if none is given. */
function inYear(today: string, day: number, month: number, year = ''): string | undefined {
	if (year) return dayOf(year.length === 2 ? `20${year}` : year, month, day);
	return nearest(today, (one) => dayOf(String(one), month, day));
}

/** The next day, from today, that has a number in its month. */
function nextOf(today: string, day: number): string | undefined {
	const [year = 0, month = 0] = today.split('-').map(Number);
	for (let ahead = 0; ahead < 3; ahead++) {
		const at = year * 12 + month - 1 + ahead;
		const one = dayOf(String(Math.floor(at / 12)), (at % 12) + 1, day);
		if (one && one >= today) return one;
	}
	return undefined;
}

/** The nearest to today of one day a year. */
function nearest(today: string, of: (year: number) => string | undefined): string | undefined {
	const year = Number(today.slice(0, 4));
	const away = (day: string) => Math.abs(Date.parse(day) - Date.parse(today));
	return [year, year + 1, year - 1].map(of).filter((day) => day !== undefined).sort((a, b) => away(a) - away(b))[0];
}

function dayOf(year: string, month: number, day: number): string | undefined {
	const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
	const exists = isDay(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
	return exists && year >= '1970' && year < '2200' ? text : undefined;
}

const relative = (locale: string, count: number, unit: 'day' | 'second') =>
	new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(count, unit);

/** The names of something in all languages. 2024 began on a Monday. */
const namesOf = (options: Intl.DateTimeFormatOptions, dates: Date[]): string[][] =>
	dates.map((date) => locales.map((locale) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(date).toLowerCase()));

const weekdays = namesOf({ weekday: 'long' }, Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day))));
const months = namesOf({ month: 'long' }, Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 1))));
