// Applies the service's changes to a route that the phone has.
import type { Schema } from '$shared/api';
import type { Route } from '../outbox/store';

/** The route with changes, or nothing if they are of a version that the phone does not have. */
export function applied(route: Route | undefined, changes: Schema<'DriverRouteChanges'>): Route | undefined {
	const had = new Map(changes.isComplete ? [] : route?.stops.map((stop) => [stop.stopId, stop]));
	const ids = changes.sequence ?? route?.stops.map(({ stopId }) => stopId) ?? [];
	for (const { fromStopId, throughStopId, seconds } of changes.delays ?? []) {
		const [from, through] = [ids.indexOf(fromStopId), ids.indexOf(throughStopId)];
		if (from < 0 || through < from) return undefined;
		for (const id of ids.slice(from, through + 1)) {
			const stop = had.get(id);
			if (stop?.eta) had.set(id, { ...stop, eta: later(stop.eta, seconds) });
		}
	}
	for (const stop of changes.stops) had.set(stop.stopId, stop);
	for (const change of changes.progress) {
		const stop = had.get(change.stopId);
		if (!stop) return undefined;
		had.set(change.stopId, { ...stop, ...change });
	}
	const stops = ids.flatMap((id) => had.get(id) ?? []);
	const base = changes.route ?? route;
	return base && stops.length === ids.length ? { ...base, stops } : undefined;
}

const later = (time: string, seconds: number) => new Date(Date.parse(time) + seconds * 1000).toISOString();
