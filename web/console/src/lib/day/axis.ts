// The board's time axis: which hours it shows, their width, and where stops are
// drawn so that none covers another.
import { stopKey, type PlannedStop } from './plan';
import { visitsOf, type Row } from './rows';

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

/** The width of an hour in pixels, at which the visits of the fullest row are distinguishable. */
export function hourWidth(rows: Row[]): number {
	let fullest = 0;
	for (const { stops, route } of rows) {
		if (!route || stops.length === 0) continue;
		const hours = Math.max((Date.parse(route.endsAt) - Date.parse(route.startsAt)) / hour, 1);
		fullest = Math.max(fullest, visitsOf(stops).length / hours);
	}
	return Math.min(widest, Math.max(48, Math.ceil(fullest * leastWidth)));
}

/** What is drawn as one: a stop, or a visit of several while there is no room for each of them. */
export interface Mark {
	/** That of its first stop, and of no other mark. */
	key: string;
	stops: PlannedStop[];
	from: number;
	to: number;
}

/** The marks of a route. Zooming in divides a visit into its stops. */
export const marksOf = (stops: PlannedStop[], pixelsPerHour: number): Mark[] =>
	visitsOf(stops).flatMap((visit) => {
		const [from, to] = [Date.parse(visit.from), Date.parse(visit.to)];
		const isDivided = visit.stops.length > 1 && ((to - from) / hour) * pixelsPerHour >= visit.stops.length * leastWidth;
		if (!isDivided) return { key: stopKey(visit.stops[0]!), stops: visit.stops, from, to };
		return visit.stops.map((stop) => ({
			key: stopKey(stop), stops: [stop], from: Date.parse(stop.startsAt), to: Date.parse(stop.leavesAt)
		}));
	});

export interface Drawn {
	mark: Mark;
	left: number;
	width: number;
	/** How far it is to the next mark on its line, in pixels; what it says may take as much. */
	room: number;
	/** Its line in the row; marks at about the same time are on different lines. */
	line: number;
}

const mostLines = 3;
/** The number of stops of a visit fits in so many pixels. */
const leastVisit = 38;

/** Where marks are drawn, in pixels from the beginning of the axis. */
export function drawn(marks: Mark[], span: Span, pixelsPerHour: number): Drawn[] {
	const last: Drawn[] = [];
	return marks.map((mark) => {
		const left = ((mark.from - span.from) / hour) * pixelsPerHour;
		const width = Math.max(((mark.to - mark.from) / hour) * pixelsPerHour, mark.stops.length > 1 ? leastVisit : leastWidth - 2);
		const endOf = (one: Drawn) => one.left + one.width;
		let line = last.findIndex((one) => endOf(one) <= left + 0.5);
		if (line < 0) line = last.length < mostLines ? last.length : last.findIndex((one) => endOf(one) === Math.min(...last.map(endOf)));
		const before = last[line];
		if (before) before.room = Math.max(left - before.left, 0);
		return (last[line] = { mark, left, width, room: Infinity, line });
	});
}
