// The board's time axis: which hours it shows, their width, and where stops are
// drawn so that none covers another.
import { stopKey, type PlannedStop } from './plan';
import type { Row } from './rows';

export const hour = 3_600_000;

export interface Span {
	from: number;
	to: number;
	hours: number;
}

/** The hours of a day that its rows need: from eight to four at least. */
export function spanOf(beginning: number, rows: Row[]): Span {
	let from = beginning + 8 * hour;
	let to = beginning + 16 * hour;
	for (const row of rows) {
		const starts = [row.works?.from, row.route && Date.parse(row.route.startsAt)].filter((at) => at !== undefined);
		const ends = [row.works?.to, row.route && Date.parse(row.route.endsAt)].filter((at) => at !== undefined);
		from = Math.min(from, ...starts);
		to = Math.max(to, ...ends);
	}
	from = beginning + Math.floor((from - beginning) / hour) * hour;
	const hours = Math.ceil((to - from) / hour);
	return { from, to: from + hours * hour, hours };
}

/** An hour of the axis; the next day begins with one of them if the span goes past midnight. */
export interface Tick {
	at: number;
	beginsDay: boolean;
}

/** The hours of a span, of which one is the beginning of the next day, or none. */
export const ticksOf = (span: Span, nextDay: number): Tick[] =>
	Array.from({ length: span.hours }, (_, index) => {
		const at = span.from + index * hour;
		return { at, beginsDay: at === nextDay };
	});

/** The least that a finger or a pointer hits well, in pixels. */
export const leastWidth = 26;
const widest = 240;

/** The width of an hour in pixels, at which the stops of the fullest row are distinguishable. */
export function hourWidth(rows: Row[]): number {
	let fullest = 0;
	for (const { stops, route } of rows) {
		if (!route || stops.length === 0) continue;
		const hours = Math.max((Date.parse(route.endsAt) - Date.parse(route.startsAt)) / hour, 1);
		fullest = Math.max(fullest, stops.length / hours);
	}
	return Math.min(widest, Math.max(48, Math.ceil(fullest * leastWidth)));
}

export interface Drawn {
	stop: PlannedStop;
	key: string;
	left: number;
	width: number;
	/** Its line in the row; stops at about the same time are on different lines. */
	line: number;
}

const mostLines = 3;

/** Where the stops of a row are drawn, in pixels from the beginning of the axis. */
export function drawn(stops: PlannedStop[], span: Span, pixelsPerHour: number): Drawn[] {
	const ends: number[] = [];
	return stops.map((stop) => {
		const left = ((Date.parse(stop.startsAt) - span.from) / hour) * pixelsPerHour;
		const right = ((Date.parse(stop.leavesAt) - span.from) / hour) * pixelsPerHour;
		const width = Math.max(right - left, leastWidth - 2);
		let line = ends.findIndex((end) => end <= left + 0.5);
		if (line < 0) line = ends.length < mostLines ? ends.length : ends.indexOf(Math.min(...ends));
		ends[line] = left + width;
		return { stop, key: stopKey(stop), left, width, line };
	});
}
