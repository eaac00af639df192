// The office's changes to a route since the driver saw it.
import { failedAtPickup, isOver, samePlace, type Stop } from './visits';

/** A change at one stop, whichever of its orders it concerns. */
export interface Change {
	what: 'cancelled' | 'came' | 'went' | 'moved' | 'time';
	stop: Stop;
	/** All stops of the route that changed alike at this place. */
	stops: Stop[];
	/** Whether this is the next stop now, and another one was before. */
	isNext?: true;
}

type Kind = Change['what'];

/** The sequence in which changes are listed. */
export const kinds: Kind[] = ['cancelled', 'came', 'went', 'moved', 'time'];

/**
 * Compares a route with the version that the driver saw last. Finished stops are no news, nor are
 * consequences of the driver's own actions.
 */
export function changes(seen: Stop[], now: Stop[]): Change[] {
	const before = new Map(seen.map((stop) => [stop.stopId, stop]));
	const found: [Kind, Stop][] = [...came(before, now), ...went(seen, now)];
	const told = grouped(found);
	if (actedOutOfTurn(before, seen, now)) return told;
	const pending = now.filter((stop) => stop.status === 'pending');
	const known = pending.filter((stop) => before.has(stop.stopId));
	const order = new Map(known.map((stop) => [stop.stopId, stop]));
	const were = seen.flatMap((stop) => order.get(stop.stopId) ?? []);
	const [next] = pending;
	const isNew = next !== undefined && were[0] !== undefined && !samePlace(next, were[0]);
	const others = (stops: Stop[]): Stop[] => (isNew ? stops.filter((stop) => !samePlace(stop, next)) : stops);
	const all = [...told, ...grouped(moved(others(were), others(known)).map((stop) => ['moved', stop]))];
	if (isNew) markNext(all, next, pending);
	return all.sort((a, b) => kinds.indexOf(a.what) - kinds.indexOf(b.what));
}

/**
 * Marks the change of the next stop; if nothing else about that stop differs, its move is the
 * change.
 */
function markNext(all: Change[], next: Stop, pending: Stop[]): void {
	const own = all.find((change) => samePlace(change.stop, next) && change.what !== 'cancelled' && change.what !== 'went');
	if (own) own.isNext = true;
	else all.push({ what: 'moved', stop: next, stops: pending.filter((stop) => samePlace(stop, next)), isNext: true });
}

function came(before: Map<number, Stop>, now: Stop[]): [Kind, Stop][] {
	return now.flatMap((stop): [Kind, Stop][] => {
		const was = before.get(stop.stopId);
		if (stop.status === 'cancelled') return was?.status === 'cancelled' ? [] : [['cancelled', stop]];
		if (isOver(stop.status)) return was ? [] : [['went', stop]];
		if (!was) return [['came', stop]];
		return was.earliest !== stop.earliest || was.latest !== stop.latest ? [['time', stop]] : [];
	});
}

function went(seen: Stop[], now: Stop[]): [Kind, Stop][] {
	const there = new Set(now.map((stop) => stop.stopId));
	const notPickedUp = failedAtPickup(now, (stop) => stop.status);
	return seen
		.filter((stop) => !there.has(stop.stopId) && !isOver(stop.status) && !notPickedUp.has(stop.orderId))
		.map((stop) => ['went', stop]);
}

/** One change per location. For a removed order it lists the delivery, not the pickup as well. */
function grouped(found: [Kind, Stop][]): Change[] {
	const all: Change[] = [];
	const isGone = (what: Kind): boolean => what === 'cancelled' || what === 'went';
	for (const [what, stop] of found) {
		const hasDelivery = found.some(([, other]) => other.orderId === stop.orderId && other.stop === 'DELIVERY');
		if (isGone(what) && stop.stop === 'PICKUP' && hasDelivery) continue;
		const same = all.find((change) => change.what === what && samePlace(change.stop, stop));
		if (same) same.stops.push(stop);
		else all.push({ what, stop, stops: [stop] });
	}
	return all;
}

/**
 * Whether the driver did a stop before an earlier one: then the service changes the sequence of the
 * rest.
 */
function actedOutOfTurn(before: Map<number, Stop>, seen: Stop[], now: Stop[]): boolean {
	const after = new Map(now.map((stop) => [stop.stopId, stop.status]));
	const isDone = (stop: Stop): boolean => ['arrived', 'completed', 'failed'].includes(after.get(stop.stopId) ?? '');
	const turn = (stop: Stop): number => seen.indexOf(stop);
	const acted = [...before.values()].filter((stop) => stop.status === 'pending' && isDone(stop));
	const first = seen.findIndex((stop) => stop.status === 'pending' && after.get(stop.stopId) === 'pending');
	return first >= 0 && acted.some((stop) => turn(stop) > first);
}

/** The fewest stops whose moving makes one sequence of places of the other. */
function moved(were: Stop[], are: Stop[]): Stop[] {
	const places = (stops: Stop[]): Stop[] => stops.filter((stop, at) => stops.findIndex((other) => samePlace(other, stop)) === at);
	const was = places(were);
	const is = places(are).filter((stop) => was.some((other) => samePlace(other, stop)));
	const turns = is.map((stop) => was.findIndex((other) => samePlace(other, stop)));
	const stays = new Set(rising(turns));
	return is.filter((_, at) => !stays.has(turns[at]!));
}

/** The longest part of a sequence that rises. */
function rising(turns: number[]): number[] {
	const best: number[][] = [];
	for (const turn of turns) {
		const before = best.filter((run) => run.at(-1)! < turn).reduce((most, run) => (run.length > most.length ? run : most), []);
		best.push([...before, turn]);
	}
	return best.reduce((most, run) => (run.length > most.length ? run : most), []);
}
