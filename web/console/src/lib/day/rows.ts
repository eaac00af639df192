// The day as rows of drivers: those with a route, and those who work without
// one.
import { paintsOf, type Paint } from './colors';
import type { Plan, PlannedBreak, PlannedStop, Route, Worker } from './plan';

export interface Row {
	driverId: number;
	driverName: string;
	/** Who is on the shift: the driver, and who rides along. */
	crew: string;
	departmentId: number | null;
	vehicle: string;
	vehicleType: string;
	/** How the route is drawn, on the board and on the map. */
	paint: Paint;
	/** When the driver works, in milliseconds; unknown if only the route is known. */
	works: { from: number; to: number } | undefined;
	route: Route | undefined;
	stops: PlannedStop[];
}

const unpainted: Paint = { color: 0, dash: 0 };

/**
 * The rows of a day, by name. They include drivers with a route who no longer work. Drivers keep the
 * paints that they had before; the map gains those of new ones.
 */
export function rowsOf(routes: Route[], workers: Worker[], paints = new Map<number, Paint>()): Row[] {
	const working = new Map(workers.map((worker) => [worker.driverId, worker]));
	const rows: Row[] = routes.map((route) => ({
		driverId: route.driverId,
		driverName: route.driverName,
		crew: crewOf(route),
		departmentId: route.departmentId,
		vehicle: [route.vehicleTypeName, route.registration].filter(Boolean).join(', '),
		vehicleType: route.vehicleTypeName ?? '',
		paint: unpainted,
		works: hoursOf(working.get(route.driverId)),
		route,
		stops: route.stops
	}));
	const driving = new Set(routes.map((route) => route.driverId));
	for (const worker of workers) {
		if (driving.has(worker.driverId)) continue;
		rows.push({
			driverId: worker.driverId,
			driverName: worker.driverName,
			crew: worker.driverName,
			departmentId: worker.departmentId,
			vehicle: [worker.vehicleTypeName, worker.registration].filter(Boolean).join(', '),
			vehicleType: worker.vehicleTypeName ?? '',
			paint: unpainted,
			works: hoursOf(worker),
			route: undefined,
			stops: []
		});
	}
	rows.sort((a, b) => a.driverName.localeCompare(b.driverName) || a.driverId - b.driverId);
	paintsOf(rows, paints);
	for (const row of rows) row.paint = paints.get(row.driverId) ?? unpainted;
	return rows;
}

/** The names of everybody on a route. */
export const crewOf = ({ driverName, coDriver }: Pick<Route, 'driverName' | 'coDriver'>): string =>
	[driverName, coDriver?.name].filter(Boolean).join(' + ');

function hoursOf(worker: Worker | undefined): Row['works'] {
	return worker && { from: Date.parse(worker.startsAt), to: Date.parse(worker.endsAt) };
}

/** A visit: consecutive stops at one place, or a single stop. */
export interface Visit {
	name: string;
	stops: PlannedStop[];
	from: string;
	to: string;
}

/** The visits of a route, in its sequence. */
export function visitsOf(stops: PlannedStop[]): Visit[] {
	const visits: Visit[] = [];
	for (const stop of stops) {
		const visit = stop.sameVisit ? visits.at(-1) : undefined;
		if (visit) {
			visit.stops.push(stop);
			visit.to = stop.leavesAt;
		} else visits.push({ name: stop.name ?? stop.city ?? '', stops: [stop], from: stop.startsAt, to: stop.leavesAt });
	}
	return visits;
}

/** The breaks of a route that begin after one of its stops and before another; no stop is its start, or its end. */
export const breaksBetween = (route: Route | undefined, after?: PlannedStop, before?: PlannedStop): PlannedBreak[] =>
	(route?.breaks ?? []).filter(
		({ startsAt }) => !(after && startsAt < after.startsAt) && !(before && startsAt >= before.startsAt)
	);

/** How many orders stops are of. */
export const ordersIn = (stops: PlannedStop[]): number => new Set(stops.map((stop) => stop.orderId)).size;

/** The orders that a driver carries out, each once, in the sequence of the route. */
export const ordersOf = (row: Row): number[] => [...new Set(row.stops.map((stop) => stop.orderId))];

/** Whether something belongs to a department. Without a selection everything does; 0 means none. */
export const isIn =
	(department: string) =>
	(of: { departmentId: number | null }): boolean =>
		!department || String(of.departmentId ?? 0) === department;

/** The plan of a department among those of a day. */
export const planOf = (plans: Plan[], departmentId: number | null): Plan | undefined =>
	plans.find((plan) => plan.departmentId === departmentId);
