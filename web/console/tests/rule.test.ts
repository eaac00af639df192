import { describe, expect, test } from 'vitest';
import { isMonthDay, ruleOf, textOf, weekly, type Rule } from '../src/lib/recurring/rule';

const plain: [string, Rule][] = [
	['RRULE:FREQ=DAILY', { every: 'DAILY', interval: 1, days: [], monthDays: [] }],
	['RRULE:FREQ=DAILY;INTERVAL=3', { every: 'DAILY', interval: 3, days: [], monthDays: [] }],
	['RRULE:FREQ=WEEKLY;BYDAY=MO', weekly],
	['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,SU', { every: 'WEEKLY', interval: 2, days: ['MO', 'WE', 'SU'], monthDays: [] }],
	['RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15,-1', { every: 'MONTHLY', interval: 1, days: [], monthDays: [1, 15, -1] }]
];

test.each(plain)('%s is read and written alike', (text, rule) => {
	expect(ruleOf(text)).toEqual(rule);
	expect(textOf(rule)).toBe(text);
});

describe('a rule is read', () => {
	test('without its name, with spaces around it and with the usual start of a week', () => {
		expect(ruleOf(' FREQ=WEEKLY;WKST=MO;BYDAY=FR ')).toEqual({ every: 'WEEKLY', interval: 1, days: ['FR'], monthDays: [] });
	});

	test.each([
		['', 'nothing'],
		['RRULE:INTERVAL=2', 'no frequency'],
		['RRULE:FREQ=YEARLY', 'another frequency'],
		['RRULE:FREQ=DAILY;COUNT=3', 'an end'],
		['RRULE:FREQ=DAILY;INTERVAL=0', 'no interval'],
		['RRULE:FREQ=DAILY;INTERVAL=1.5', 'half an interval'],
		['RRULE:FREQ=DAILY;BYDAY=MO', 'days of the week every day'],
		['RRULE:FREQ=MONTHLY;BYDAY=1MO', 'a weekday of a month'],
		['RRULE:FREQ=WEEKLY;BYDAY=XX', 'no such day'],
		['RRULE:FREQ=MONTHLY;BYMONTHDAY=32', 'no such day of a month'],
		['RRULE:FREQ=WEEKLY;BYMONTHDAY=1', 'a day of a month every week'],
		['RRULE:FREQ=WEEKLY;WKST=SU', 'another start of the week'],
		['DTSTART:20261207T080000Z\nRRULE:FREQ=DAILY', 'more than a rule']
	])('%j only as a text, for it says %s', (text) => {
		expect(ruleOf(text)).toBeUndefined();
	});
});

test('days are written in the sequence of the week, and only where they count', () => {
	expect(textOf({ every: 'WEEKLY', interval: 1, days: ['FR', 'MO'], monthDays: [3] })).toBe('RRULE:FREQ=WEEKLY;BYDAY=MO,FR');
	expect(textOf({ every: 'MONTHLY', interval: 1, days: ['FR'], monthDays: [3] })).toBe('RRULE:FREQ=MONTHLY;BYMONTHDAY=3');
});

test('days of a month are counted from both of its ends', () => {
	expect([1, 31, -1, -31].map(isMonthDay)).toEqual([true, true, true, true]);
	expect([0, 32, -32, 1.5, NaN].map(isMonthDay)).toEqual([false, false, false, false, false]);
});
