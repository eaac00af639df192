// Sequences by hand: where the stops of a route go, and how much of a route has
// to be held for that. A pickup always comes before its delivery.
import type { Schema } from '$shared/api';
import { stopKey, type PlannedStop } from '../plan';
import type { Placing } from './wish';

type Held = Schema<'HeldStop'>;

const isPickup = ({ stop }: PlannedStop) => stop === 'PICKUP';

/** The name of a stop that is held, as boards name stops. */
export const heldKey = ({ orderId, type }: Held): string => `${orderId}-${type === 'pickup' ? 'PICKUP' : 'DELIVERY'}`;

/** Stops as requests name them. */
export const heldStops = (stops: PlannedStop[]): Held[] =>
	stops.map((stop) => ({ orderId: stop.orderId, type: isPickup(stop) ? 'pickup' : 'delivery' }));

/** The open stops of a route in another sequence. */
export function arranged(open: PlannedStop[], stop: string | undefined, placing: Placing): PlannedStop[] {
	if (placing.where === 'hold') return open;
	if (placing.where === 'reverse') return reversed(open);
	const moved = open.find((one) => stopKey(one) === stop);
	if (!moved) return open;
	const others = open.filter((one) => one !== moved);
	const place = placeOf(others, moved, placing);
	return place < 0 ? open : inTurn([...others.slice(0, place), moved, ...others.slice(place)], moved);
}

function placeOf(others: PlannedStop[], moved: PlannedStop, { where, at }: Placing): number {
	if (where === 'last') return others.length;
	if (where === 'first') {
		// The first delivery comes after what is loaded before it.
		const first = isPickup(moved) ? 0 : others.findIndex((one) => !isPickup(one));
		return first < 0 ? others.length : first;
	}
	const other = others.findIndex((one) => stopKey(one) === at);
	return other < 0 || where === 'before' ? other : other + 1;
}

/** Puts the other stop of the order next to the one that has moved past it. */
function inTurn(stops: PlannedStop[], moved: PlannedStop): PlannedStop[] {
	const mate = stops.find((one) => one.orderId === moved.orderId && one !== moved);
	if (!mate || stops.indexOf(mate) < stops.indexOf(moved) === isPickup(mate)) return stops;
	const others = stops.filter((one) => one !== mate);
	const place = others.indexOf(moved) + (isPickup(mate) ? 0 : 1);
	return [...others.slice(0, place), mate, ...others.slice(place)];
}

/**
 * The pickups and the deliveries in the opposite sequence: where one was delivered, one is picked up,
 * and the other way around.
 */
function reversed(open: PlannedStop[]): PlannedStop[] {
	const mateOf = (stop: PlannedStop) => open.find((one) => one.orderId === stop.orderId && one !== stop) ?? stop;
	const mates = [...open].reverse().map(mateOf);
	const pickups = open.filter(isPickup).reverse();
	const deliveries = open.filter((one) => !isPickup(one)).reverse();
	const turned = mates.map((one) => (isPickup(one) ? pickups : deliveries).shift()!);
	return isInTurn(turned) ? turned : mates;
}

/** Whether each pickup comes before its delivery. */
const isInTurn = (stops: PlannedStop[]): boolean =>
	stops.every((one, place) => !isPickup(one) || !stops.slice(0, place).some(({ orderId }) => orderId === one.orderId));

/**
 * The stops to hold, from the first open one on: up to the one that has moved and those that are held
 * already. A whole route is held to its end.
 */
export function toHold(stops: PlannedStop[], stop: string | undefined, held: Held[]): PlannedStop[] {
	if (stop === undefined) return stops;
	const names = new Set([stop, ...held.map(heldKey)]);
	const last = stops.findLastIndex((one) => names.has(stopKey(one)));
	return stops.slice(0, last + 1);
}

/** Whether two sequences are the same. */
export const isSame = (one: PlannedStop[], other: PlannedStop[]): boolean =>
	one.length === other.length && one.every((stop, place) => stop === other[place]);
