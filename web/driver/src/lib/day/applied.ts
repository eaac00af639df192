// Applies the service's changes to a route that the phone has.
import type { Schema } from '$shared/api';
import type { Route } from '../outbox/store';

/** The route with changes, or nothing if they are of a version that the phone does not have. */
export function applied(route: Route | undefined, changes: Schema<'DriverRouteChanges'>): Route | undefined {
	const had = new Map(changes.isComplete ? [] : route?.stops.map((stop) => [stop.stopId, stop]));
	for (const stop of changes.stops) had.set(stop.stopId, stop);
	for (const change of changes.progress) {
		const stop = had.get(change.stopId);
		if (!stop) return undefined;
		had.set(change.stopId, { ...stop, ...change });
	}
	const ids = changes.sequence ?? route?.stops.map(({ stopId }) => stopId) ?? [];
	const stops = ids.flatMap((id) => had.get(id) ?? []);
	const base = changes.route ?? route;
	return base && stops.length === ids.length ? { ...base, stops } : undefined;
}
