import { expect, test, vi } from 'vitest';
import { latenessIn, rowsWith, sectionsOf, zoneOf, type Facts } from '../src/lib/day/arrange';
import type { Zone } from '../src/lib/zones/zones';
import { at, route, row, stop } from './day';

vi.mock('../src/lib/query', () => ({ queried: () => '' }));

const driving = (id: number, name: string, from: number, until: number, given: Parameters<typeof row>[3] = {}, stops = [stop(id)]) =>
	row(id, name, stops, { route: route(id, name, stops, { startsAt: at(from), endsAt: at(until) }), ...given });
const rows = [
	driving(1, 'Anders', 9, 17, { departmentId: 4, vehicleType: 'Van' }),
	driving(2, 'Kari', 7, 15, { departmentId: null, vehicleType: 'Truck' }, [stop(2, { eta: at(13) })]),
	driving(3, 'Ola', 8, 19, { departmentId: 4 }, [stop(3, { eta: at(11, 55) })]),
	row(4, 'Siri')
];
const facts: Facts = {
	departments: new Map([[4, 'Oslo'], [null, 'Central']]),
	zoneOf: ({ driverId }) => ({ 1: 'West', 2: '', 3: 'East' })[driverId] ?? ''
};
const names = (all: { driverName: string }[]) => all.map(({ driverName }) => driverName);

test.each([
	['name', ['Anders', 'Kari', 'Ola']],
	['start', ['Kari', 'Ola', 'Anders']],
	['end', ['Kari', 'Anders', 'Ola']],
	['late', ['Kari', 'Ola', 'Anders']],
	['zone', ['Ola', 'Anders', 'Kari']]
] as const)('rows with routes are sorted by %s', (sort, want) => {
	expect(sectionsOf(rows, { sort, group: '', find: '' }, facts).map((one) => names(one.rows))).toEqual([want]);
});

test.each([
	['department', [['Central', 'Kari'], ['Oslo', 'Anders', 'Ola']]],
	['zone', [['East', 'Ola'], ['West', 'Anders'], ['', 'Kari']]],
	['type', [['Truck', 'Kari'], ['Van', 'Anders'], ['', 'Ola']]]
] as const)('rows are grouped by %s, those without last', (group, want) => {
	expect(sectionsOf(rows, { sort: 'name', group, find: '' }, facts).map((one) => [one.title, ...names(one.rows)])).toEqual(want);
});

test('a text finds drivers, vehicles, orders, customers and places', () => {
	const all = [
		row(1, 'Anders', [stop(1, { customer: 'Fjord Møbler', city: 'Oslo' })], { vehicle: 'Van, EK 12345' }),
		row(2, 'Kari', [stop(22, { name: 'Bekkelaget butikk', postalCode: '1169' })])
	];
	const found = (text: string) => names(rowsWith(all, text));
	expect(['kari', 'ek 123', 'a-22', 'fjord', '1169', 'nobody', ' '].map(found)).toEqual([['Kari'], ['Anders'], ['Kari'], ['Anders'], ['Kari'], [], ['Anders', 'Kari']]);
});

test('what is over no longer makes a route late', () => {
	expect(latenessIn([stop(1, { eta: at(13), endedAt: at(13) }), stop(2, { eta: at(11) })])).toBe(-3_600_000);
	expect(latenessIn([])).toBe(-Infinity);
});

test('the zone of a row is the one that most of its deliveries are in', () => {
	const zone = (name: string, from: string, to: string) => ({ name, areas: [{ country: 'NO', from, to }] }) as Zone;
	const zones = [zone('Center', '0000', '0299'), zone('East', '0500', '0999')];
	const to = (id: number, postalCode: string, given = {}) => stop(id, { postalCode, country: 'NO', ...given });
	expect(zoneOf(row(1, 'Ola', [to(1, '0150'), to(2, '0575'), to(3, '0661')]), zones)).toBe('East');
	expect(zoneOf(row(1, 'Ola', [to(1, '0150', { stop: 'PICKUP' }), to(2, '9000')]), zones)).toBe('');
});
