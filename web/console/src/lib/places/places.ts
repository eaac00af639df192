// Addresses and coordinates as people write them.
import type { Schema } from '$shared/api';

/** The address of a stop in one line. */
export const addressOf = (one: Pick<Schema<'PlaceToCheck'>, 'address1' | 'postalCode' | 'city'>): string =>
	[one.address1, [one.postalCode, one.city].filter(Boolean).join(' ')].filter(Boolean).join(', ');

/** Latitude and longitude as maps copy them, such as "59.9135, 10.7501"; undefined for anything else. */
export function pointOf(text: string): { latitude: number; longitude: number } | undefined {
	const [, first, second] = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
	if (!first || !second) return undefined;
	const [latitude, longitude] = [Number(first), Number(second)];
	return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** The middle of some points, around which others probably are. */
export function middleOf(points: { latitude: number; longitude: number }[]): { latitude: number; longitude: number } | undefined {
	if (!points.length) return undefined;
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	return { latitude: mean(points.map((one) => one.latitude)), longitude: mean(points.map((one) => one.longitude)) };
}

/** How far apart two places are, in meters. Exact enough within a country. */
export function metersBetween(a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }): number {
	const perDegree = 111_195;
	const across = (a.longitude - b.longitude) * Math.cos((((a.latitude + b.latitude) / 2) * Math.PI) / 180);
	return perDegree * Math.hypot(a.latitude - b.latitude, across);
}
