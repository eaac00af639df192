import { beforeAll, describe, expect, test, vi } from 'vitest';
import { speak } from '../../shared/words.svelte';
import { read, weekOf, type Kind } from '../src/lib/dates/reading';
import { stepped, write } from '../src/lib/dates/writing';
import { speaking } from './words';

const here = { now: '2026-11-25T10:40' }; // a Wednesday
const value = (kind: Kind, text: string, base?: string) => {
	const found = read(kind, text, { ...here, ...(base && { base }) });
	return 'value' in found ? found.value : found.wrong;
};

describe('a day is read', () => {
	test.each([
		['i dag', '2026-11-25'], ['idag', '2026-11-25'], ['today', '2026-11-25'],
		['i morgen', '2026-11-26'], ['I MORGEN', '2026-11-26'], ['imorgen', '2026-11-26'], ['tomorrow', '2026-11-26'],
		['i overmorgen', '2026-11-27'], ['i overmorgon', 'unreadable'], ['i går', '2026-11-24'], ['yesterday', '2026-11-24'],
		['+3', '2026-11-28'], ['-1', '2026-11-24'],
		['25/11', '2026-11-25'], ['25.11', '2026-11-25'], ['25.11.', '2026-11-25'], ['25-11', '2026-11-25'], ['25 11', '2026-11-25'],
		['2511', '2026-11-25'], ['251126', '2026-11-25'], ['25112027', '2027-11-25'],
		['25/11/27', '2027-11-25'], ['1.2.2027', '2027-02-01'], ['2026-12-07', '2026-12-07'],
		['5/1', '2027-01-05'], ['1/6', '2026-06-01'], ['29/2', 'unreadable'], ['29/2/2028', '2028-02-29'],
		['27', '2026-11-27'], ['24', '2026-12-24'], ['31.', '2026-12-31'],
		['fre', '2026-11-27'], ['fredag', '2026-11-27'], ['Friday', '2026-11-27'], ['ons', '2026-11-25'], ['tir.', '2026-12-01'],
		['søn', '2026-11-29'], ['lør', '2026-11-28'], ['ons. 02.12.2026', '2026-12-02'], ['Wed, 02/12/2026', '2026-12-02'],
		['7 des', '2026-12-07'], ['7. desember', '2026-12-07'], ['7 December 2027', '2027-12-07'], ['1. mai', '2027-05-01'], ['1 okt', '2026-10-01'],
		['uke 49', '2026-11-30'], ['fre uke 49', '2026-12-04'], ['u1', '2027-01-04'], ['week 53', '2026-12-28'],
		['', '']
	])('%s', (text, day) => {
		expect(value('day', text)).toBe(day);
	});

	test.each(['32/11', '25/13', 'soon', 'uke 54', '25/11/1969', '0', '1/1/2200', 't', '25/11 10:40', '31/4'])('%s is none', (text) => {
		expect(value('day', text)).toBe('unreadable');
	});
});

describe('a time is read', () => {
	test.each([
		['10:40', '10:40'], ['10.40', '10:40'], ['1040', '10:40'], ['740', '07:40'], ['7', '07:00'], ['07', '07:00'], ['kl. 7.30', '07:30'],
		['kl 14', '14:00'], ['2 pm', '14:00'], ['12am', '00:00'], ['23:59', '23:59'], ['10:40:00', '10:40'],
		['24:00', 'unreadable'], ['10:60', 'unreadable'], ['13 pm', 'unreadable'], ['noon', 'unreadable'], ['', '']
	])('%s', (text, time) => {
		expect(value('time', text)).toBe(time);
	});
});

describe('a moment is read', () => {
	test.each([
		['25/11 10:40', '2026-11-25T10:40'], ['i morgen 10', '2026-11-26T10:00'], ['i morgen kl. 7.30', '2026-11-26T07:30'],
		['tomorrow at 7', '2026-11-26T07:00'], ['fre uke 49 0730', '2026-12-04T07:30'], ['10:40 i morgen', '2026-11-26T10:40'],
		['2026-12-07T10:40', '2026-12-07T10:40'], ['2026-12-07 10:40', '2026-12-07T10:40'], ['Wed 25/11/2026 10:40', '2026-11-25T10:40'],
		['10:40', '2026-11-25T10:40'], ['nå', '2026-11-25T10:40'], ['now', '2026-11-25T10:40'],
		['i morgen', 'no_time'], ['25/11/2026', 'no_time'], ['sometime', 'unreadable'], ['25/11 25:00', 'unreadable'], ['', '']
	])('%s', (text, moment) => {
		expect(value('moment', text)).toBe(moment);
	});

	test('a time alone is on the day that the field knows', () => {
		expect(value('moment', '0730', '2026-12-07')).toBe('2026-12-07T07:30');
	});
});

test('weeks are counted as in calendars', () => {
	expect(['2026-12-28', '2027-01-03', '2027-01-04', '2024-12-30', '2026-01-01'].map(weekOf)).toEqual([53, 53, 1, 1, 1]);
});

describe('what a field shows', () => {
	beforeAll(async () => {
		vi.stubGlobal('document', { documentElement: {} });
		await speaking({});
	});

	test.each(['nb', 'en', 'da'] as const)('is read again in %s', async (language) => {
		await speak(language);
		for (const day of ['2026-12-07', '2027-02-28', '2026-05-17', '2025-03-01', '2030-10-26']) {
			expect(value('day', write('day', day))).toBe(day);
			expect(value('moment', write('moment', `${day}T07:05`))).toBe(`${day}T07:05`);
		}
		expect(value('time', write('time', '07:05'))).toBe('07:05');
	});

	test('is written as in the language', async () => {
		await speak('nb');
		expect(write('moment', '2026-11-25T10:40')).toBe('ons. 25.11.2026 10:40');
		await speak('en');
		expect(write('day', '2026-11-25')).toBe('Wed 25/11/2026');
	});
});

test('steps go over midnight and the end of a month', () => {
	expect(stepped('day', '2026-11-30', { days: 1 })).toBe('2026-12-01');
	expect(stepped('time', '23:50', { minutes: 15 })).toBe('00:05');
	expect(stepped('moment', '2026-11-30T23:50', { minutes: 15 })).toBe('2026-12-01T00:05');
	expect(stepped('moment', '2026-11-30T23:50', { days: -1 })).toBe('2026-11-29T23:50');
});
