// What the marks of the board look like, and what they say. Kinds, states and lateness differ in
// shape and signs, and not only in color.
import { lasting } from '$shared/moments';
import { isOpen, isOver, statusOf, type Status } from '$shared/status';
import { locale, nameOf, t } from '$shared/words.svelte';
import type { Drawn, Mark } from './axis';
import { markOf, type Mark as Lateness, type PlannedStop } from './plan';
import { timeOf } from './times';

/** Whether a mark loads, unloads, or both. */
export function kindOf({ stops }: Mark): 'pickup' | 'delivery' | 'both' {
	const loads = stops.some((stop) => stop.stop === 'PICKUP');
	return loads && stops.some((stop) => stop.stop === 'DELIVERY') ? 'both' : loads ? 'pickup' : 'delivery';
}

/** The worst that is to be said of its stops. */
export function latenessOf({ stops }: Mark): Lateness {
	const all = stops.map(markOf);
	return all.includes('late') ? 'late' : all.includes('risk') ? 'risk' : '';
}

/** The common status of its stops; that of those under way if they differ. */
export function statusIn({ stops }: Mark): Status {
	const ids = stops.map((stop) => stop.orderStatusId);
	const under = ids.find((id) => !isOpen(id) && !isOver(id));
	return statusOf(ids.every((id) => id === ids[0]) ? ids[0]! : (under ?? Math.min(...ids)));
}

/** The orders of a mark, each once. */
export const ordersAt = ({ stops }: Pick<Mark, 'stops'>): number[] => [...new Set(stops.map((stop) => stop.orderId))];

/** The signs of a state: done, failed, begun, late. */
function signsOf(mark: Mark): string {
	const { name, id } = statusIn(mark);
	const state = mark.stops.every((stop) => stop.endedAt) && name !== 'failed' ? '✓' : name === 'failed' ? '✕' : isOpen(id) || isOver(id) ? '' : '▸';
	return state + (latenessOf(mark) === 'late' ? '!' : '');
}

const arrows = { pickup: '↑', delivery: '↓', both: '↕' } as const;

/** How wide a letter and the edges of a mark are, in pixels. */
const letter = 7.3;
const edges = 9;
/** Beside a text that is longer than the stop takes. */
const margin = 6;
const edgeOfVisit = 5;
const lockWidth = 11;

const edgesOf = (mark: Mark): number => edges + (isLocked(mark) ? lockWidth : 0) + (mark.stops.length > 1 ? edgeOfVisit : 0);
const widthOf = (text: string, mark: Mark): number => Math.ceil(text.length * letter) + edgesOf(mark) + margin;

export const isLocked = ({ stops }: Mark): boolean => stops.every((stop) => stop.locked);

export interface Label {
	text: string;
	/** As wide as the mark is drawn with its text. */
	width: number;
}

/**
 * What a mark says: as much of the number as fits, or how many stops it has. With details, it takes
 * the room until the next mark for the customer, the window and the slack.
 */
export function labelOf({ mark, width, room }: Drawn, hasDetails: boolean): Label {
	const most = Math.floor((width - edgesOf(mark)) / letter);
	let text = shortOf(mark, most);
	if (!hasDetails) return { text, width };
	const parts = detailsOf(mark);
	for (let count = 1; count <= parts.length; count++) {
		const longer = parts.slice(0, count).join(' · ');
		if (widthOf(longer, mark) > Math.max(room - 2, width)) break;
		text = longer;
	}
	return { text, width: Math.max(width, text.length > most ? widthOf(text, mark) : 0) };
}

function shortOf(mark: Mark, letters: number): string {
	const signs = signsOf(mark);
	if (mark.stops.length > 1) {
		const count = String(mark.stops.length);
		const full = `${signs}${arrows[kindOf(mark)]}×${count}`;
		return full.length <= letters ? full : `×${count}`;
	}
	const number = mark.stops[0]!.externalId;
	const end = number.slice(number.lastIndexOf('-') + 1);
	const left = letters - signs.length;
	if (left < 2) return signs;
	return signs + (left > end.length ? arrows[kindOf(mark)] : '') + end.slice(-left);
}

/** The number, the customer, the window and the slack of a stop; the place of several. */
function detailsOf(mark: Mark): string[] {
	const [first] = mark.stops;
	const beginning = signsOf(mark) + arrows[kindOf(mark)];
	if (mark.stops.length > 1) return [`${beginning}×${mark.stops.length}`, first!.name ?? first!.city ?? ''].filter(Boolean);
	const stop = first!;
	return [
		`${beginning}${stop.externalId}`,
		stop.customer || stop.name || stop.city || '',
		`${timeOf(stop.earliest)}–${timeOf(stop.latest)}`,
		slackOf(stop)
	].filter(Boolean);
}

/** How much later a stop may begin, or how late it is. */
export function slackOf(stop: PlannedStop): string {
	const late = Math.round((Date.parse(stop.eta) - Date.parse(stop.latest)) / 1000);
	if (late > 0) return t('board.late_by', { time: lasting(late) });
	return stop.slackSeconds > 0 ? t('board.slack', { time: lasting(stop.slackSeconds) }) : '';
}

/** How much earlier or later than planned somebody arrived, in words; empty before that. */
export function differenceOf(stop: PlannedStop): string {
	if (!stop.arrivedAt) return '';
	const seconds = Math.round((Date.parse(stop.arrivedAt) - Date.parse(stop.arrivesAt)) / 1000);
	const time = timeOf(stop.arrivedAt);
	if (Math.abs(seconds) < 60) return t('board.arrived', { time });
	return t(seconds > 0 ? 'board.arrived_later' : 'board.arrived_earlier', { time, by: lasting(Math.abs(seconds)) });
}

// Zooming draws marks anew that say the same.
const said = new WeakMap<PlannedStop, { as: string; words: string }>();

/** All that a mark shows, in words. */
export function wordsOf(mark: Mark): string {
	const [first] = mark.stops;
	const as = `${locale()} ${mark.stops.length}`;
	const before = said.get(first!);
	if (before?.as === as) return before.words;
	const words = inWords(mark);
	said.set(first!, { as, words });
	return words;
}

function inWords(mark: Mark): string {
	if (mark.stops.length > 1) return wordsOfVisit(mark);
	const stop = mark.stops[0]!;
	const lateness = markOf(stop);
	const words = [
		t(stop.stop === 'PICKUP' ? 'stop.pickup' : 'stop.delivery'),
		stop.externalId,
		stop.name ?? stop.city ?? '',
		timeOf(stop.startsAt),
		t('day.within', { from: timeOf(stop.earliest), to: timeOf(stop.latest) }),
		nameOf('status', statusOf(stop.orderStatusId).name)
	];
	if (lateness) words.push(t(lateness === 'late' ? 'day.late' : 'day.risk'));
	words.push(slackOf(stop), differenceOf(stop));
	if (stop.positionGuessed) words.push(t('day.is_guessed'));
	if (stop.metersFromRoad) words.push(t('day.is_far_from_road'));
	if (stop.locked) words.push(t('day.is_locked'));
	return words.filter(Boolean).join(', ');
}

function wordsOfVisit(mark: Mark): string {
	const { stops } = mark;
	const loads = stops.filter((stop) => stop.stop === 'PICKUP').length;
	const lateness = latenessOf(mark);
	const numbers = ordersAt(mark).length > 4 ? [] : stops.map((stop) => stop.externalId);
	return [
		t('day.visit', { count: stops.length }),
		stops[0]!.name ?? stops[0]!.city ?? '',
		`${timeOf(stops[0]!.startsAt)}–${timeOf(stops.at(-1)!.leavesAt)}`,
		loads ? t('board.pickups', { count: loads }) : '',
		stops.length > loads ? t('board.deliveries', { count: stops.length - loads }) : '',
		...new Set(numbers),
		lateness ? t(lateness === 'late' ? 'day.late' : 'day.risk') : '',
		isLocked(mark) ? t('day.is_locked') : ''
	]
		.filter(Boolean)
		.join(', ');
}

/** A part of the day, in milliseconds. */
export interface Part {
	from: number;
	to: number;
}

/** Waiting that is shorter is not drawn, in milliseconds. */
const shortest = 3 * 60_000;

/** When a driver waits, until a window opens. */
export const waitsOf = (stops: PlannedStop[]): Part[] =>
	stops.flatMap((stop) => {
		const [from, to] = [Date.parse(stop.arrivesAt), Date.parse(stop.startsAt) - stop.setupSeconds * 1000];
		return to - from >= shortest ? [{ from, to }] : [];
	});

/** When a driver was at stops, as far as they are driven. */
export const actualOf = (stops: PlannedStop[], now: number): Part[] =>
	stops.flatMap(({ arrivedAt, endedAt }) => {
		const from = arrivedAt ?? endedAt;
		return from ? [{ from: Date.parse(from), to: endedAt ? Date.parse(endedAt) : Math.max(now, Date.parse(from)) }] : [];
	});

/** How many seconds a driver is behind the plan, by the last stop that somebody arrived at; negative is ahead. */
export function behind(stops: PlannedStop[]): number | undefined {
	const last = stops.findLast((stop) => stop.arrivedAt);
	return last?.arrivedAt ? Math.round((Date.parse(last.arrivedAt) - Date.parse(last.arrivesAt)) / 1000) : undefined;
}
