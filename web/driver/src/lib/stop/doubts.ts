// Signs that a driver is not at a stop, as far as the phone knows.
import { lasting } from '$shared/moments';
import { t } from '$shared/words.svelte';
import type { Stop } from '../day/visits';

export interface At {
	latitude: number;
	longitude: number;
	accuracyMeters?: number | null;
}

/** So far from a stop a driver may park, and so wrong may its position be. */
const farMeters = 500;
/** Arriving this long before the window of a stop is normal. */
const earlyMillis = 30 * 60e3;

const earthMeters = 6_371_000;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The distance between two places, along the ground. */
export function metersBetween(a: Pick<At, 'latitude' | 'longitude'>, b: Pick<At, 'latitude' | 'longitude'>): number {
	const [north, east] = [radians(b.latitude - a.latitude) / 2, radians(b.longitude - a.longitude) / 2];
	const square = Math.sin(north) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(east) ** 2;
	return 2 * earthMeters * Math.asin(Math.sqrt(square));
}

export interface Doubts {
	/** The distance of the stop, if it is too far. */
	meters?: number;
	/** The time until its window opens, if that is too long. */
	early?: number;
}

/** What is doubtful about arriving at a stop now. An estimated position raises no doubt. */
export function doubtsOf(stop: Pick<Stop, 'latitude' | 'longitude' | 'positionGuessed' | 'earliest'>, at: At | undefined, now: number): Doubts {
	const meters = at && !stop.positionGuessed ? metersBetween(at, stop) : 0;
	const early = Date.parse(stop.earliest) - now;
	return {
		...(meters - (at?.accuracyMeters ?? 0) > farMeters && { meters }),
		...(early > earlyMillis && { early })
	};
}

/** The question for the driver, or nothing. */
export function questionOf({ meters, early }: Doubts): string {
	const said = [
		meters !== undefined && t('phone.far_away', { distance: distanceOf(meters) }),
		early !== undefined && t('phone.too_early', { by: lasting(early / 1000) })
	].filter(Boolean);
	return said.length ? `${said.join(' ')} ${t('phone.arrived_still')}` : '';
}

/** 1.8 km */
export const distanceOf = (meters: number): string => (meters < 1000 ? `${Math.round(meters / 10) * 10} m` : `${(meters / 1000).toFixed(1)} km`);
