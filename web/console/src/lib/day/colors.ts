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

/** Cells are numbered by columns, each with room for more cells than there are between the poles. */
const rows = 1 << 16;
const around = [-1, 0, 1].flatMap((column) => [-1, 0, 1].map((row) => column * rows + row));

/** Adds the paints of drivers who have none. Those with routes are first, by number, so that all screens agree. */
export function paintsOf(routes: Painted[], paints: Map<number, Paint>): void {
	const isNew = ({ driverId }: Painted) => !paints.has(driverId);
	if (!routes.some(isNew)) return;
	const near = nearness(routes);
	const left = routes.filter(isNew).sort((a, b) => Number(!a.stops.length) - Number(!b.stops.length) || a.driverId - b.driverId);
	for (const { driverId } of left) paints.set(driverId, chosenFor((other) => near(driverId, other), paints));
}

/** The paint that the neighbors of a route have least of. */
function chosenFor(near: (driverId: number) => number, paints: Map<number, Paint>): Paint {
	const cost = all.map(() => [0, 0, 0, 0]);
	for (const [driverId, { color, dash }] of paints) {
		const together = near(driverId);
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

/** Returns in how many cells of a grid, or in those beside them, two routes both have stops. */
function nearness(routes: Painted[]): (one: number, other: number) => number {
	const inCell = new Map<number, number[]>();
	for (const [index, { stops }] of routes.entries()) {
		const own = new Set<number>();
		for (const { latitude, longitude } of stops) {
			const at = Math.floor(longitude / cell / 2) * rows + Math.floor(latitude / cell);
			for (const beside of around) own.add(at + beside);
		}
		for (const at of own) {
			const routesThere = inCell.get(at);
			if (routesThere) routesThere.push(index);
			else inCell.set(at, [index]);
		}
	}
	const size = routes.length;
	const counts = new Uint32Array(size * size);
	for (const there of inCell.values()) for (const one of there) for (const other of there) counts[one * size + other]!++;
	const indexOf = new Map(routes.map(({ driverId }, index) => [driverId, index]));
	return (one, other) => counts[indexOf.get(one)! * size + (indexOf.get(other) ?? NaN)] ?? 0;
}
