// Work lists of a day: unplanned orders by reason and place, and stops that are late or at risk,
// the worst first, each with its cause.
import { markOf, type Mark, type PlannedStop, type Unplanned } from './plan';
import type { Row } from './rows';

/** Unplanned orders with the same reason that go to the same place. */
export interface Group {
	key: string;
	/** The code of the reason; empty if there is none. */
	reason: string;
	/** The postal code and the town of the deliveries; empty if unknown. */
	place: string;
	orders: Unplanned[];
}

/** The reason that applies to most drivers. */
const reasonOf = ({ planning: { reasons } }: Unplanned): string =>
	reasons.reduce<(typeof reasons)[number] | undefined>((most, one) => (most && most.count >= one.count ? most : one), undefined)?.code ?? '';

const placeOf = ({ delivery }: Unplanned): string => [delivery?.postalCode, delivery?.city].filter(Boolean).join(' ');

/** Groups unplanned orders, the largest group first; in a group, the earliest deadline first. */
export function groupsOf(orders: Unplanned[]): Group[] {
	const groups = new Map<string, Group>();
	for (const order of orders) {
		const [reason, place] = [reasonOf(order), placeOf(order)];
		const key = `${order.departmentId ?? 0}/${reason}/${place}`;
		const group = groups.get(key);
		if (group) group.orders.push(order);
		else groups.set(key, { key, reason, place, orders: [order] });
	}
	const until = ({ delivery }: Unplanned) => delivery?.latest ?? '';
	for (const group of groups.values()) group.orders.sort((a, b) => until(a).localeCompare(until(b)) || a.orderId - b.orderId);
	return [...groups.values()].sort(
		(a, b) => b.orders.length - a.orders.length || a.reason.localeCompare(b.reason) || a.place.localeCompare(b.place)
	);
}

/** A later end of a time window that would help an order. */
export interface LaterWindow {
	orderId: number;
	stop: 'pickup' | 'delivery';
	earliest: string;
	was: string;
	latest: string;
}

/** The later window that planning has proved to help an order, if there is one. */
export function laterWindowOf(order: Unplanned): LaterWindow | undefined {
	for (const { change, value } of order.planning.counterfactuals) {
		if (change !== 'PICKUP_LATEST' && change !== 'DELIVERY_LATEST') continue;
		const stop = change === 'PICKUP_LATEST' ? 'pickup' : 'delivery';
		const is = order[stop];
		if (is) return { orderId: order.orderId, stop, earliest: is.earliest, was: is.latest, latest: value };
	}
	return undefined;
}

/** A stop that is late, or may become so. */
export interface Risk {
	stop: PlannedStop;
	row: Row;
	/** By how many seconds it is late; negative if it has that much time to spare. */
	late: number;
}

/** The late stops, or those at risk, the worst first. */
export function risksOf(rows: Row[], mark: Mark): Risk[] {
	const all = rows.flatMap((row) => row.stops.filter((stop) => markOf(stop) === mark).map((stop) => ({ stop, row, late: lateBy(stop) })));
	return all.sort((a, b) => b.late - a.late || a.stop.orderId - b.stop.orderId);
}

const lateBy = ({ eta, latest }: PlannedStop): number => Math.round((Date.parse(eta) - Date.parse(latest)) / 1000);

/** Why a stop is late: what happened, or what the driver does before it. */
export type Cause =
	| { kind: 'moved'; who: string; reason: string }
	| { kind: 'behind'; seconds: number }
	| { kind: 'returns'; place: string; times: number }
	| { kind: 'waits'; place: string; seconds: number }
	| { kind: 'stops'; number: number; driving: number };

/** A wait, or a delay of the driver, that is shorter explains nothing, in seconds. */
const relevant = 300;

/** The cause of a late stop that explains most. */
export function causeOf({ stop, row, late }: Risk): Cause {
	const { lock } = stop;
	if (lock?.reason) return { kind: 'moved', who: lock.lockedByName ?? '', reason: lock.reason };
	const behind = Math.round((Date.parse(stop.eta) - Date.parse(stop.startsAt)) / 1000);
	if (behind > relevant && behind >= late) return { kind: 'behind', seconds: behind };
	const before = row.stops.slice(0, row.stops.indexOf(stop));
	const returns = returnsIn(before);
	if (returns.times > 0) return { kind: 'returns', ...returns };
	const waits = before.map((one) => ({ place: one.name ?? one.city ?? one.externalId, seconds: waitAt(one) }));
	const longest = waits.reduce((most, one) => (one.seconds > most.seconds ? one : most), { place: '', seconds: 0 });
	if (longest.seconds > relevant) return { kind: 'waits', ...longest };
	const driving = [...before, stop].reduce((sum, one) => sum + one.drivingSeconds, 0);
	return { kind: 'stops', number: before.length + 1, driving };
}

const waitAt = (stop: PlannedStop): number =>
	Math.round((Date.parse(stop.startsAt) - Date.parse(stop.arrivesAt)) / 1000) - stop.setupSeconds;

/** The place to which a route returns most often, and how often. */
function returnsIn(stops: PlannedStop[]): { place: string; times: number } {
	const visits = new Map<string, { place: string; times: number }>();
	for (const stop of stops) {
		if (stop.stop !== 'PICKUP' || stop.sameVisit) continue;
		const at = `${stop.latitude},${stop.longitude}`;
		const times = (visits.get(at)?.times ?? -1) + 1;
		visits.set(at, { place: stop.name ?? stop.city ?? '', times });
	}
	return [...visits.values()].reduce((most, one) => (one.times > most.times ? one : most), { place: '', times: 0 });
}
