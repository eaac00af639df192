// The colors of routes. Neighbors on the map differ, and where there are more routes than colors, so
// do the dashes of those that share one.

export interface Paint {
	/** The index of the color. */
	color: number;
	/** The index of the line style: solid, dashed or dotted. */
	dash: number;
}

export const colors = 8;
export const dashes = 3;

/** The line styles, as CSS writes borders. */
export const borders = ['solid', 'dashed', 'dotted'] as const;

interface Painted {
	driverId: number;
	stops: { latitude: number; longitude: number }[];
}

const all: Paint[] = Array.from({ length: colors * dashes }, (_, index) => ({ color: index % colors, dash: Math.floor(index / colors) }));

/** The side of a cell in degrees of latitude, about a kilometer; of longitude it is twice as long. */
const cell = 0.01;

/** Adds the paints of drivers who have none. Those with routes are first, by number, so that all screens agree. */
export function paintsOf(routes: Painted[], paints: Map<number, Paint>): void {
	const isNew = ({ driverId }: Painted) => !paints.has(driverId);
	if (!routes.some(isNew)) return;
	const near = nearness(routes);
	const left = routes.filter(isNew).sort((a, b) => Number(!a.stops.length) - Number(!b.stops.length) || a.driverId - b.driverId);
	for (const { driverId } of left) paints.set(driverId, chosenFor(near.get(driverId) ?? new Map(), paints));
}

/** The paint that the neighbors of a route have least of. */
function chosenFor(near: Map<number, number>, paints: Map<number, Paint>): Paint {
	const cost = all.map(() => [0, 0, 0, 0]);
	for (const [driverId, { color, dash }] of paints) {
		const together = near.get(driverId) ?? 0;
		for (const [index, paint] of all.entries()) {
			const [isSameColor, isSame] = [paint.color === color, paint.color === color && paint.dash === dash];
			const one = cost[index]!;
			one[0]! += isSame ? together : 0;
			one[1]! += Number(isSame);
			one[2]! += isSameColor ? together : 0;
			one[3]! += Number(isSameColor);
		}
	}
	let best = 0;
	for (const index of cost.keys()) if (isLess(cost[index]!, cost[best]!)) best = index;
	return all[best]!;
}

function isLess(a: number[], b: number[]): boolean {
	const at = a.findIndex((value, index) => value !== b[index]);
	return at >= 0 && a[at]! < b[at]!;
}

/** In how many cells of a grid, or in those beside them, two routes both have stops. */
function nearness(routes: Painted[]): Map<number, Map<number, number>> {
	const inCell = new Map<string, Set<number>>();
	const cells = new Map<number, Set<string>>();
	for (const { driverId, stops } of routes) {
		const own = new Set<string>();
		for (const { latitude, longitude } of stops) {
			const [x, y] = [Math.floor(longitude / cell / 2), Math.floor(latitude / cell)];
			for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) own.add(`${x + dx} ${y + dy}`);
		}
		cells.set(driverId, own);
		for (const at of own) inCell.set(at, (inCell.get(at) ?? new Set()).add(driverId));
	}
	const near = new Map<number, Map<number, number>>();
	for (const [driverId, own] of cells) {
		const counts = new Map<number, number>();
		for (const at of own) for (const other of inCell.get(at) ?? []) if (other !== driverId) counts.set(other, (counts.get(other) ?? 0) + 1);
		near.set(driverId, counts);
	}
	return near;
}
