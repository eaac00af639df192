// Recurrence rules in the forms that can be chosen: every so many days, on days
// of the week, or on days of the month. Others stay text.
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY'] as const;
export type Frequency = (typeof frequencies)[number];

export interface Rule {
	every: Frequency;
	/** Every so many days, weeks or months. */
	interval: number;
	/** The days of the week; the start's if none is given. */
	days: Weekday[];
	/** The days of the month; -1 is the last one. */
	monthDays: number[];
}

export const weekly: Rule = { every: 'WEEKLY', interval: 1, days: ['MO'], monthDays: [] };

const known = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'WKST'];

/** Parses a rule; returns nothing if it has more than can be chosen here. */
export function ruleOf(text: string): Rule | undefined {
	const parts = new Map(
		text.trim().replace(/^RRULE:/, '').split(';').filter(Boolean).map((part) => part.split('=', 2) as [string, string])
	);
	const every = frequencies.find((one) => one === parts.get('FREQ'));
	const interval = Number(parts.get('INTERVAL') ?? 1);
	const days = listed(parts.get('BYDAY'));
	const monthDays = listed(parts.get('BYMONTHDAY')).map(Number);
	const isPlain =
		[...parts.keys()].every((key) => known.includes(key)) &&
		(parts.get('WKST') ?? 'MO') === 'MO' &&
		days.every((day) => every === 'WEEKLY' && isWeekday(day)) &&
		monthDays.every((day) => every === 'MONTHLY' && isMonthDay(day)) &&
		Number.isInteger(interval) && interval > 0;
	return every && isPlain ? { every, interval, days: days.filter(isWeekday), monthDays } : undefined;
}

/** Writes a rule as calendars do. */
export function textOf({ every, interval, days, monthDays }: Rule): string {
	const parts = [`FREQ=${every}`];
	if (interval > 1) parts.push(`INTERVAL=${interval}`);
	if (every === 'WEEKLY' && days.length) parts.push(`BYDAY=${weekdays.filter((day) => days.includes(day)).join(',')}`);
	if (every === 'MONTHLY' && monthDays.length) parts.push(`BYMONTHDAY=${monthDays.join(',')}`);
	return `RRULE:${parts.join(';')}`;
}

const listed = (value: string | undefined): string[] => (value ?? '').split(',').filter(Boolean);
const isWeekday = (day: string): day is Weekday => (weekdays as readonly string[]).includes(day);

/** Whether a number is a day of a month, counted from its beginning or from its end. */
export const isMonthDay = (day: number): boolean => Number.isInteger(day) && day !== 0 && Math.abs(day) <= 31;
