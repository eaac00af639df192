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

/** A screen that was closed for longer says nothing about where the phone was meanwhile. */
const longestAway = 2 * 60e3;

const seen = new Map<number, { since: Date; closed?: Date }>();

/** Since when the phone has been at a visit, as far as its screen has shown. */
export function sinceWhen(visit: number, now: Date): Date {
	const kept = seen.get(visit);
	const wasAway = kept?.closed && now.getTime() - kept.closed.getTime() > longestAway;
	const since = kept && !wasAway ? kept.since : now;
	seen.set(visit, { since });
	return since;
}

/** Notes when the screen of a visit is closed: the phone may leave while nothing looks. */
export function screenClosed(visit: number, now: Date): void {
	const kept = seen.get(visit);
	if (kept) seen.set(visit, { ...kept, closed: now });
}

/** Forgets a visit that the phone has left. */
export const left = (visit: number): boolean => seen.delete(visit);
