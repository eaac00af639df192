// How the rows of a day are arranged: filtered, sorted and grouped, all of it in the address.
import { queried } from '../query';
import { isIn, type Zone } from '../zones/zones';
import type { PlannedStop } from './plan';
import type { Row } from './rows';

export const sorts = ['name', 'start', 'end', 'late', 'zone'] as const;
export type Sort = (typeof sorts)[number];
export const groupings = ['', 'department', 'zone', 'type'] as const;
export type Grouping = (typeof groupings)[number];

export interface Arrangement {
	sort: Sort;
	group: Grouping;
	/** Rows have this in their driver, their vehicle or one of their orders. */
	find: string;
}

/** The arrangement in the address. */
export const arrangement = (): Arrangement => ({
	sort: sorts.find((one) => one === queried('sort')) ?? 'name',
	group: groupings.find((one) => one === queried('group')) ?? '',
	find: queried('find')
});

/** Whether rows are lower, so that more of them are seen. */
export const isCompact = (): boolean => queried('compact') === 'yes';

/** Whether drivers without a route have rows of their own. */
export const showsFree = (): boolean => queried('free') === 'yes';

/** What rows are grouped by. */
export interface Facts {
	departments: Map<number | null, string>;
	zoneOf: (row: Row) => string;
}

/** Rows under one heading, which is empty without groups. */
export interface Section {
	title: string;
	rows: Row[];
}

/** The rows that have a text, by driver, vehicle, order, customer or place. */
export function rowsWith(rows: Row[], text: string): Row[] {
	const wanted = text.trim().toLowerCase();
	if (!wanted) return rows;
	const has = (words: (string | null | undefined)[]) => words.some((word) => word?.toLowerCase().includes(wanted));
	return rows.filter(
		(row) => has([row.crew, row.vehicle]) || row.stops.some((stop) => has([stop.externalId, stop.customer, stop.name, stop.city, stop.postalCode]))
	);
}

/** Rows with routes in sections, sorted. */
export function sectionsOf(rows: Row[], { sort, group }: Arrangement, facts: Facts): Section[] {
	const driving = sorted(rows.filter((row) => row.route), sort, facts);
	if (!group) return driving.length ? [{ title: '', rows: driving }] : [];
	const titleOf = {
		department: (row: Row) => facts.departments.get(row.departmentId) ?? '',
		zone: facts.zoneOf,
		type: (row: Row) => row.vehicleType
	}[group];
	const sections = new Map<string, Row[]>();
	for (const row of driving) sections.set(titleOf(row), [...(sections.get(titleOf(row)) ?? []), row]);
	return [...sections].map(([title, inside]) => ({ title, rows: inside })).sort((a, b) => last(a.title, b.title));
}

/** By name, and those without one last. */
const last = (a: string, b: string): number => Number(!a) - Number(!b) || a.localeCompare(b);

function sorted(rows: Row[], sort: Sort, { zoneOf }: Facts): Row[] {
	if (sort === 'name') return rows;
	if (sort === 'zone') {
		const zones = new Map(rows.map((row) => [row, zoneOf(row)]));
		return [...rows].sort((a, b) => last(zones.get(a)!, zones.get(b)!));
	}
	const value = {
		start: (row: Row) => Date.parse(row.route!.startsAt),
		end: (row: Row) => Date.parse(row.route!.endsAt),
		late: (row: Row) => -latenessIn(row.stops)
	}[sort];
	const values = new Map(rows.map((row) => [row, value(row)]));
	return [...rows].sort((a, b) => values.get(a)! - values.get(b)!);
}

/** How late the latest stop is in milliseconds; negative is the least time that is left. */
export const latenessIn = (stops: PlannedStop[]): number =>
	stops.reduce((worst, stop) => (stop.endedAt ? worst : Math.max(worst, Date.parse(stop.eta) - Date.parse(stop.latest))), -Infinity);

/** The zone in which a row has most deliveries; empty if it has none in a zone. */
export function zoneOf(row: Row, zones: Zone[]): string {
	const counts = new Map<string, number>();
	for (const stop of row.stops) {
		if (stop.stop !== 'DELIVERY') continue;
		const zone = zones.find((one) => isIn(one, stop.country ?? '', stop.postalCode ?? ''));
		if (zone) counts.set(zone.name, (counts.get(zone.name) ?? 0) + 1);
	}
	return [...counts].reduce(([best, most], [name, count]) => (count > most ? [name, count] : [best, most]), ['', 0] as [string, number])[0];
}
