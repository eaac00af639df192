// The line to where an order was in a route that it has left.
import type { Position } from '$shared/polyline';
import type { PlannedStop } from '../plan';
import type { Former } from './former.svelte';

/**
 * From the stop that the driver of then has before that moment, over where the order goes, to the driver's
 * next stop. Without other stops there is no line.
 */
export function formerWay(was: Former, stops: PlannedStop[], goesTo: PlannedStop): Position[] {
	const others = stops.filter(({ orderId }) => orderId !== was.orderId);
	const at = Date.parse(was.at);
	const before = others.findLast(({ startsAt }) => Date.parse(startsAt) < at);
	const next = others.find(({ startsAt }) => Date.parse(startsAt) >= at);
	if (!before && !next) return [];
	return [before, goesTo, next].flatMap((one): Position[] => (one ? [[one.longitude, one.latitude]] : []));
}
