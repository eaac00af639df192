// The day's way as a drawing without a map, which needs no network.
import { decoded, type Position } from '$shared/polyline';
import type { Stop } from './visits';

/** What a sketch shows: the way to one stop, or of the whole day. */
export interface Sketch {
	/** The way of the day, and the leg to the next stop, as SVG writes paths. */
	day: string;
	leg: string;
	/** Whether the leg leads from one place to another. */
	isWay: boolean;
	stops: { id: number; x: number; y: number; isNext: boolean }[];
	/** Where the phone is, if it knows. */
	here: { x: number; y: number } | undefined;
}

export const width = 320;
export const height = 200;
const margin = 16;

const place = (stop: Stop): Position => [stop.longitude, stop.latitude];

/** The way to a stop: along streets if it is known, and otherwise straight from the stop before. */
function wayTo(stop: Stop, before: Stop | undefined): Position[] {
	return [...(stop.polyline ? decoded(stop.polyline) : before ? [place(before)] : []), place(stop)];
}

/** Draws a day as large as fits: all of it, or only the leg to the next stop. North is up. */
export function sketchOf(stops: Stop[], next: number | undefined, whole: boolean, here?: Position): Sketch {
	const ways = stops.map((stop, index) => wayTo(stop, stops[index - 1]));
	const at = stops.findIndex((stop) => stop.stopId === next);
	const leg = ways[at] ?? [];
	const fitted = [...(whole || !leg.length ? ways.flat() : leg), ...(here ? [here] : [])];
	const wide = Math.cos(((fitted[0]?.[1] ?? 0) * Math.PI) / 180);
	const [xs, ys] = [fitted.map(([x]) => x * wide), fitted.map(([, y]) => y)];
	const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
	const scale = Math.min(
		(width - 2 * margin) / Math.max(east - west, 1e-4),
		(height - 2 * margin) / Math.max(north - south, 1e-4)
	);
	const [left, top] = [(width - scale * (east - west)) / 2, (height - scale * (north - south)) / 2];
	const on = ([x, y]: Position) => ({ x: left + scale * (x * wide - west), y: top + scale * (north - y) });
	const path = (way: Position[]) =>
		way.map((one) => on(one)).map(({ x, y }, index) => `${index ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
	return {
		day: whole ? ways.map(path).join('') : '',
		leg: path(leg),
		isWay: leg.some(([x, y]) => x !== leg[0]![0] || y !== leg[0]![1]),
		stops: stops
			.filter((_, index) => whole || index === at || index === at - 1)
			.map((stop) => ({ id: stop.stopId, ...on(place(stop)), isNext: stop.stopId === next })),
		here: here && on(here)
	};
}
