// A pin on a plan of a few hundred meters, without a map: it works offline.
import { metersBetween } from './doubts';

export interface At {
	latitude: number;
	longitude: number;
}

const metersPerDegree = 111_195;
const eastPerDegree = (latitude: number): number => metersPerDegree * Math.cos((latitude * Math.PI) / 180);

/** The position so many meters to the east and north. */
export const moved = ({ latitude, longitude }: At, east: number, north: number): At => ({
	latitude: Number((latitude + north / metersPerDegree).toFixed(6)),
	longitude: Number((longitude + east / eastPerDegree(latitude)).toFixed(6))
});

/** How many meters to the east and north of a position another one is. */
export const offset = (from: At, to: At): { east: number; north: number } => ({
	east: (to.longitude - from.longitude) * eastPerDegree(from.latitude),
	north: (to.latitude - from.latitude) * metersPerDegree
});

/** How many meters the plan shows in each direction, so that all positions are on it. */
export const reach = (middle: At, all: At[]): number =>
	Math.min(2000, Math.max(60, ...all.map((one) => 1.25 * metersBetween(middle, one))));

/** How far the arrow keys move the pin, in meters. */
export function stepOf(key: string): [number, number] | undefined {
	const steps: Record<string, [number, number]> = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, 5], ArrowDown: [0, -5] };
	return steps[key];
}
