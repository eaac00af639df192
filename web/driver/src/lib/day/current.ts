// Which day the phone shows. The service decides; the phone's calendar counts
// only while the service is unreachable.
import { today as dayIn } from '$shared/moments';
import type { Route } from '../outbox/store';

/** The service's last answer for the current day. */
export interface SaidDay {
	date: string;
	/** How many milliseconds the phone's clock is behind the service's. */
	skew: number;
	/** The day before it, which the driver has ended on this phone, and until when it is shown. */
	ended?: { date: string; until: string };
}

/** A clock that is wrong by less is taken for right: a request takes its time. */
const leastSkew = 2 * 60e3;
/** A route that was not ended is over after this time. */
const overAfter = 3 * 3600e3;
/** An ended route is shown for this long, but at least until midnight. */
const shownAfter = 3600e3;

/** How far the phone's clock is behind the date of a response. */
export function skewOf(date: string | null, now: Date): number {
	const skew = date ? Date.parse(date) - now.getTime() : NaN;
	return Math.abs(skew) >= leastSkew ? skew : 0;
}

/**
 * Updates the day with the service's response. EndedAt is when the driver ended that day's route
 * here.
 */
export function said(before: SaidDay | undefined, date: string, skew: number, endedAt?: string): SaidDay {
	if (!before || before.date === date) return before?.ended ? { date, skew, ended: before.ended } : { date, skew };
	if (!endedAt || before.date > date) return { date, skew };
	return { date, skew, ended: { date: before.date, until: new Date(Date.parse(endedAt) + shownAfter).toISOString() } };
}

/** The day to show now. Route is the route of the service's day, if the phone has it. */
export function dayShown(
	of: SaidDay | undefined,
	route: Pick<Route, 'endsAt'> | undefined,
	endedAt: string | undefined,
	zone: string,
	now: Date
): string {
	if (!of) return dayIn(zone, now);
	if (of.ended && Date.parse(of.ended.until) > now.getTime()) return of.ended.date;
	const right = now.getTime() + of.skew;
	const calendar = dayIn(zone, new Date(right));
	if (calendar <= of.date) return of.date;
	const goesOn = endedAt
		? Date.parse(endedAt) + shownAfter > now.getTime()
		: Boolean(route?.endsAt) && Date.parse(route!.endsAt!) + overAfter > right;
	return goesOn ? of.date : calendar;
}
