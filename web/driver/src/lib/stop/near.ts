// Whether the phone is at a stop. Then the app proposes the arrival, and the
// next step confirms it.
import type { Stop } from '../day/visits';
import { doubtsOf, metersBetween, type At } from './doubts';

const nearMeters = 150;
/** A position that is less precise says nothing. */
const vagueMeters = 100;

/** Whether a phone is at a stop. One whose window opens much later must be asked about. */
export function isNear(stop: Pick<Stop, 'latitude' | 'longitude' | 'positionGuessed' | 'earliest'>, at: At | undefined, now: number): boolean {
	if (!at || stop.positionGuessed || (at.accuracyMeters ?? Infinity) > vagueMeters) return false;
	return metersBetween(at, stop) <= nearMeters && doubtsOf(stop, at, now).early === undefined;
}

const seen = new Map<number, Date>();

/** Since when the phone has been at a visit, as far as its screen has shown. */
export function sinceWhen(visit: number, now: Date): Date {
	const since = seen.get(visit) ?? now;
	seen.set(visit, since);
	return since;
}

/** Forgets a visit that the phone has left. */
export const left = (visit: number): boolean => seen.delete(visit);
