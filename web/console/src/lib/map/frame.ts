// Which part of the world a map shows: where most of its things are, or what somebody looked at last.
import type { At } from './pin';

/** West, south, east and north. */
export type Bounds = [number, number, number, number];

export const boundsOf = (some: At[]): Bounds => {
	const east = some.map(({ longitude }) => longitude);
	const north = some.map(({ latitude }) => latitude);
	return [Math.min(...east), Math.min(...north), Math.max(...east), Math.max(...north)];
};

export const isWithin = ({ longitude, latitude }: At, [west, south, east, north]: Bounds): boolean =>
	longitude >= west && longitude <= east && latitude >= south && latitude <= north;

/** The side of a cell in degrees of latitude, about 28 kilometers; of longitude it is twice as long. */
const cell = 0.25;

/** The things where most of them are: those in touching cells of a grid. Others are far from all of these. */
export function mostOf<Thing extends At>(things: Thing[]): Thing[] {
	const cells = new Map<string, Thing[]>();
	const cellOf = ({ longitude, latitude }: At) => [Math.floor(longitude / cell / 2), Math.floor(latitude / cell)] as const;
	for (const thing of things) {
		const key = cellOf(thing).join(' ');
		cells.set(key, [...(cells.get(key) ?? []), thing]);
	}
	let most: Thing[] = [];
	for (const [key] of cells) {
		const group = takeAround(key, cells);
		if (group.length > most.length) most = group;
	}
	return most;
}

/** Takes a cell and all that touch it, one after the other. */
function takeAround<Thing>(first: string, cells: Map<string, Thing[]>): Thing[] {
	const taken: Thing[] = [];
	const waiting = [first];
	for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
		const inside = cells.get(key);
		if (!inside) continue;
		cells.delete(key);
		for (const thing of inside) taken.push(thing);
		const [x = 0, y = 0] = key.split(' ').map(Number);
		for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) waiting.push(`${x + dx} ${y + dy}`);
	}
	return taken;
}

/** The frame that a browser tab remembers under a name, if any of the things is in it. */
export function remembered(name: string, things: At[]): Bounds | undefined {
	try {
		const kept = JSON.parse(sessionStorage.getItem(name) ?? 'null') as unknown;
		if (!Array.isArray(kept) || kept.length !== 4 || !kept.every((one) => typeof one === 'number')) return undefined;
		return things.some((thing) => isWithin(thing, kept as Bounds)) ? (kept as Bounds) : undefined;
	} catch {
		return undefined;
	}
}

export const remember = (name: string, bounds: Bounds): void => sessionStorage.setItem(name, JSON.stringify(bounds));

/** The outline around some positions, with a little room; of a single one a diamond. */
export function hullOf(some: At[], room = 0.004): [number, number][] {
	const points = some
		.flatMap(({ longitude: x, latitude: y }): [number, number][] => [[x - 2 * room, y], [x + 2 * room, y], [x, y - room], [x, y + room]])
		.sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
	const half = (all: [number, number][]) => {
		const line: [number, number][] = [];
		for (const point of all) {
			while (line.length > 1 && turn(line.at(-2)!, line.at(-1)!, point) <= 0) line.pop();
			line.push(point);
		}
		return line.slice(0, -1);
	};
	const ring = [...half(points), ...half(points.toReversed())];
	return [...ring, ring[0]!];
}

const turn = ([ax, ay]: [number, number], [bx, by]: [number, number], [cx, cy]: [number, number]): number =>
	(bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
