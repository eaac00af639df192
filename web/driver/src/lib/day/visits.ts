// The progress of a route's stops: the service's state when the route was read,
// and the driver's actions since.
import type { Schema } from '$shared/api';
import type { Said } from '../outbox/action';
import type { Answered, KeptRoute, Waiting } from '../outbox/store';

type Product = Schema<'DriverProduct'>;
/** A stop. Goods that were missing at loading are not among the goods of its delivery. */
export type Stop = Schema<'DriverStop'> & { lacks?: Product[] };
export type StopStatus = Stop['status'];

/** Consecutive stops that are one for the driver: the same location and the same action. */
export interface Visit {
	/** The stop that names the visit. */
	id: number;
	kind: Stop['stop'];
	place: Stop;
	stops: Stop[];
	status: StopStatus;
	/** Whether an action there has yet to be sent. */
	waits: boolean;
	/** Actions recorded without effect that the driver has not read about. */
	conflicts: Answered[];
}

type Doing = Pick<Waiting, 'id' | 'type' | 'stopId' | 'undoes' | 'nothing' | 'missing'>;

/** How far an action brings a stop. */
export const leadsTo: Partial<Record<Waiting['type'], StopStatus>> = {
	ARRIVE: 'arrived',
	PICK_UP: 'completed',
	DELIVER: 'completed',
	FAIL: 'failed'
};

const leads = (doing: Doing): StopStatus | undefined => (doing.nothing ? 'failed' : leadsTo[doing.type]);

/** Whether all goods without contents are missing. */
export const isNothing = (products: Product[], gone: Record<number, number>): boolean =>
	products.length > 0 &&
	products.every(({ id, quantity }) => products.some((one) => one.parentId === id) || (gone[id] ?? 0) >= quantity);

/** An action's lines of missing or refused goods. */
export function goneBy(said: Said, products: Product[]): Pick<Waiting, 'nothing' | 'missing'> {
	const missing = said.missingProducts && Object.fromEntries(said.missingProducts.map((one) => [one.productId, one.missing]));
	const refused = said.products && Object.fromEntries(said.products.map((one) => [one.productId, one.delivered ? 0 : Infinity]));
	const gone = missing ?? refused;
	return gone ? { ...(isNothing(products, gone) && { nothing: true }), ...(missing && { missing }) } : {};
}

/** The stop with its goods on board, and its missing ones. */
function loaded(stop: Stop, missing: Record<number, number>): Stop {
	const gone = ({ id, missing: said }: Product): number => missing[id] ?? said ?? 0;
	if (stop.stop === 'PICKUP' || !stop.products.some(gone)) return stop;
	return {
		...stop,
		products: stop.products.map((one) => ({ ...one, quantity: one.quantity - gone(one) })).filter((one) => one.quantity > 0),
		lacks: stop.products.filter(gone).map((one) => ({ ...one, quantity: gone(one) }))
	};
}

/**
 * The driver's actions since a route was read: those that counted, and unsent ones. Undoing an
 * exchange of load carriers undoes no stop.
 */
export function since(kept: KeptRoute, answers: Answered[], waiting: Waiting[]): Doing[] {
	const all = [...answers, ...waiting];
	const isOfCarriers = (one: Doing): boolean => all.some((other) => other.id === one.undoes && other.type === 'EXCHANGE_CARGO_CARRIERS');
	return [...answers.filter((answer) => answer.n > kept.upTo && answer.outcome === 'APPLIED'), ...waiting].filter((one) => !isOfCarriers(one));
}

/**
 * The progress of a stop, from its earlier state and later actions. Earlier actions that were
 * undone since are looked up in the phone's history.
 */
export function advanced(stop: Stop, doings: Doing[], before: Doing[] = []): StopStatus {
	const undone = new Set(doings.map((doing) => doing.undoes).filter((id) => id !== undefined));
	let status = stop.status;
	for (const doing of doings) {
		if (doing.stopId !== stop.stopId) continue;
		if (doing.type === 'UNDO' && !doings.some((other) => other.id === doing.undoes)) {
			// The service had received the undone action.
			const wasArrival = before.find((one) => one.id === doing.undoes)?.type === 'ARRIVE';
			if (wasArrival) status = status === 'arrived' ? 'pending' : status;
			else if (isOver(status)) status = 'arrived';
		}
		const next = leads(doing);
		if (next && !undone.has(doing.id) && !(next === 'arrived' && isOver(status))) status = next;
	}
	return status;
}

export const isOver = (status: StopStatus): boolean => ['completed', 'failed', 'dropped', 'cancelled'].includes(status);

/** Whether two stops are at one door, whatever is done there. */
const sameDoor = (a: Stop, b: Stop): boolean =>
	a.name === b.name && (b.sameVisit || (a.latitude === b.latitude && a.longitude === b.longitude));

export const samePlace = (a: Stop, b: Stop): boolean => a.stop === b.stop && sameDoor(a, b);

/** The visits at one door, one after the other: the driver goes there once. */
export interface Door {
	/** Its position in the route, from 1. */
	number: number;
	visits: Visit[];
}

export function doorsOf(visits: Visit[]): Door[] {
	const doors: Door[] = [];
	for (const visit of visits) {
		const door = doors.at(-1);
		if (door && sameDoor(door.visits.at(-1)!.place, visit.place)) door.visits.push(visit);
		else doors.push({ number: doors.length + 1, visits: [visit] });
	}
	return doors;
}

/** The stops that a driver is at with an arrival for a visit: all pending ones at its door that can be done. */
export function arrivedWith(visits: Visit[], visit: Visit): Stop[] {
	const door = doorsOf(visits).find((one) => one.visits.includes(visit))?.visits ?? [visit];
	return door
		.filter((one) => one.status === 'pending' && (one === visit || !notYetLoaded(visits, one).length))
		.flatMap((one) => one.stops);
}

/** The orders whose pickup failed: their deliveries are skipped. */
export const failedAtPickup = (stops: Stop[], statusOf: (stop: Stop) => StopStatus): Set<number> =>
	new Set(stops.filter((stop) => stop.stop === 'PICKUP' && statusOf(stop) === 'failed').map((stop) => stop.orderId));

/** The progress of a stop, given whether the pickup of its order failed. */
function afterPickup(status: StopStatus, hasFailed: boolean): StopStatus {
	if (hasFailed) return isOver(status) ? status : 'dropped';
	return status === 'dropped' ? 'pending' : status;
}

/** The visits of a route, in their sequence. */
export function visitsOf(kept: KeptRoute, answers: Answered[], waiting: Waiting[]): Visit[] {
	const doings = since(kept, answers, waiting);
	const visits: Visit[] = [];
	const statuses = new Map(kept.route.stops.map((stop) => [stop.stopId, advanced(stop, doings, answers)]));
	const notPickedUp = failedAtPickup(kept.route.stops, (stop) => statuses.get(stop.stopId)!);
	const undone = new Set(doings.map((doing) => doing.undoes));
	const missing = Object.assign({}, ...doings.filter((one) => !undone.has(one.id)).map((one) => one.missing)) as Record<number, number>;
	let here: Visit[] = []; // the visits of the place at hand, one for each status
	for (const read of kept.route.stops) {
		const stop = loaded(read, missing);
		const status = afterPickup(statuses.get(stop.stopId)!, stop.stop === 'DELIVERY' && notPickedUp.has(stop.orderId));
		if (here[0] && !samePlace(here[0].place, stop)) here = [];
		const same = here.find((visit) => visit.status === status);
		if (same) same.stops.push(stop);
		else here.push({ id: stop.stopId, kind: stop.stop, place: stop, stops: [stop], status, waits: false, conflicts: [] });
		if (!same) visits.push(here.at(-1)!);
	}
	for (const visit of visits) {
		const ids = new Set(visit.stops.map((stop) => stop.stopId));
		const isHere = (one: { stopId?: number }): boolean => one.stopId !== undefined && ids.has(one.stopId);
		visit.waits = waiting.some(isHere);
		visit.conflicts = answers.filter((answer) => isHere(answer) && !answer.seen);
	}
	return visits;
}

/** The stops of a visit with the ids in a screen's URL, or all without ids. */
export function chosenOf(visit: Visit | undefined, address: URL): Stop[] {
	const ids = address.searchParams.get('of')?.split(',').map(Number);
	return (visit?.stops ?? []).filter((stop) => !ids || ids.includes(stop.stopId));
}

/** The recipient of a stop's goods: the first contact there, or the location. */
export const recipientOf = (stop: Stop): string =>
	[stop.contacts[0]?.firstName, stop.contacts[0]?.lastName].filter(Boolean).join(' ') || stop.name;

/** The visit that a stop is part of. */
export const visitOf = (visits: Visit[], stop: number): Visit | undefined =>
	visits.find((visit) => visit.stops.some((one) => one.stopId === stop));

/** Orders of a visit that are still to be picked up elsewhere on the route. */
export function notYetLoaded(visits: Visit[], visit: Visit): Visit[] {
	if (visit.kind !== 'DELIVERY') return [];
	const orders = new Set(visit.stops.map((stop) => stop.orderId));
	return visits.filter(
		(other) => other.kind === 'PICKUP' && !isOver(other.status) && other.stops.some((stop) => orders.has(stop.orderId))
	);
}
