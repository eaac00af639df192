// Which day the phone shows. The service says it; the phone's calendar counts only while
// the service cannot be reached.
import { today as dayIn } from '$shared/moments';
import type { Route } from '../outbox/store';

/** The day under way, as the service said it last. */
export interface SaidDay {
	date: string;
	/** How many milliseconds the phone's clock is behind the service's. */
	skew: number;
	/** The day before it, which its driver has ended on this phone, and until when that is shown. */
	ended?: { date: string; until: string };
}

/** A clock that is wrong by less is taken for right: a request takes its time. */
const leastSkew = 2 * 60e3;
/** A route that nobody ends is over so long after its end. */
const overAfter = 3 * 3600e3;
/** A route that was ended is shown for so long, unless midnight is yet to come. */
const shownAfter = 3600e3;

/** How far the phone's clock is behind that of an answer, which comes with its date. */
export function skewOf(date: string | null, now: Date): number {
	const skew = date ? Date.parse(date) - now.getTime() : NaN;
	return Math.abs(skew) >= leastSkew ? skew : 0;
}

/** What the service says now, after what it said before. EndedAt is when the driver ended the route of that day here. */
export function said(before: SaidDay | undefined, date: string, skew: number, endedAt?: string): SaidDay {
	if (!before || before.date === date) return before?.ended ? { date, skew, ended: before.ended } : { date, skew };
	if (!endedAt || before.date > date) return { date, skew };
	return { date, skew, ended: { date: before.date, until: new Date(Date.parse(endedAt) + shownAfter).toISOString() } };
}

/** The day to show now. Route is the one of the day that the service named, as far as the phone has it. */
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
