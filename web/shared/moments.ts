// Days and moments, always by the clock of the organization.
import { locale } from './words.svelte';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a format, which is made once: that takes long. */
function format(zone: string, options: Intl.DateTimeFormatOptions, tag = locale()): Intl.DateTimeFormat {
	const key = `${tag} ${zone} ${JSON.stringify(options)}`;
	let made = formats.get(key);
	if (!made) {
		made = new Intl.DateTimeFormat(tag, { timeZone: zone, hourCycle: 'h23', ...options });
		formats.set(key, made);
	}
	return made;
}

/** 10:40 */
export const clock = (moment: string, zone: string): string =>
	format(zone, { hour: '2-digit', minute: '2-digit' }).format(new Date(moment));

/** 7 Dec, 10:40 */
export const shortMoment = (moment: string, zone: string): string =>
	format(zone, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }).format(new Date(moment));

/** 7 December 2026, 10:40:12 */
export const longMoment = (moment: string, zone: string): string =>
	format(zone, { dateStyle: 'long', timeStyle: 'medium' }).format(new Date(moment));

/** Mon 7 Dec, of a date without a time. */
export const shortDay = (day: string): string =>
	format('UTC', { weekday: 'short', day: 'numeric', month: 'short' }).format(new Date(`${day}T00:00:00Z`));

/** Monday 7 December 2026, of a date without a time. */
export const longDay = (day: string): string =>
	format('UTC', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(`${day}T00:00:00Z`));

/** The date that it is now, by the clock of a zone. */
export const today = (zone: string, now = new Date()): string =>
	format(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA').format(now);

/** The date some days after another. */
export function daysAfter(day: string, days: number): string {
	const date = new Date(`${day}T00:00:00Z`);
	date.setUTCDate(date.getUTCDate() + days);
	return date.toISOString().slice(0, 10);
}

export const isDay = (text: string): boolean =>
	/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** The moment at which a day begins in a zone, in milliseconds. */
export const beginningOf = (day: string, zone: string): number => at(`${day}T00:00`, zone);

/**
 * The moment at which the clock of a zone shows a time, such as 2026-12-07T10:40, in the contract's
 * form.
 */
export const momentOf = (shown: string, zone: string): string => new Date(at(shown, zone)).toISOString();

function at(shown: string, zone: string): number {
	const wanted = Date.parse(`${shown}:00Z`);
	let moment = wanted;
	// The zone may change its offset between the first guess and the answer.
	for (let tries = 0; tries < 2; tries++) moment += wanted - writtenAt(moment, zone);
	return moment;
}

/** The time on a zone's clock at a moment, as if it were UTC, in any language of the page. */
function writtenAt(moment: number, zone: string): number {
	const date = new Date(moment);
	const time = format(zone, { hour: '2-digit', minute: '2-digit' }, 'en-GB').format(date);
	return Date.parse(`${today(zone, date)}T${time}:00Z`);
}

/** 1 h 20 min, of seconds. */
export function lasting(seconds: number): string {
	const minutes = Math.round(seconds / 60);
	if (minutes < 60) return `${minutes} min`;
	return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** The moment at which a day begins in a zone, in the contract's form. */
export const startOf = (day: string, zone: string): string => new Date(beginningOf(day, zone)).toISOString();

/** 3 days ago, of a moment that has been. */
export function ago(moment: string, now = Date.now()): string {
	const written = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
	const minutes = Math.round((Date.parse(moment) - now) / 60_000);
	if (minutes > -60) return written.format(minutes, 'minute');
	if (minutes > -24 * 60) return written.format(Math.round(minutes / 60), 'hour');
	return written.format(Math.round(minutes / 60 / 24), 'day');
}
