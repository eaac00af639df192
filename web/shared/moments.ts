// Days and moments, always by the clock of the organization.
import { locale } from './words.svelte';

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
	const key = `${locale()} ${zone} ${JSON.stringify(options)}`;
	let made = formats.get(key);
	if (!made) {
		made = new Intl.DateTimeFormat(locale(), { timeZone: zone, hourCycle: 'h23', ...options });
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
export function today(zone: string, now = new Date()): string {
	const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
	return parts.format(now);
}

/** The date some days after another. */
export function daysAfter(day: string, days: number): string {
	const date = new Date(`${day}T00:00:00Z`);
	date.setUTCDate(date.getUTCDate() + days);
	return date.toISOString().slice(0, 10);
}

export const isDay = (text: string): boolean =>
	/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** The minutes of a day at a moment, by the clock of a zone; counted on past midnight of the day. */
export function minutesInto(day: string, moment: string, zone: string): number {
	const date = new Date(moment);
	const [hours = 0, minutes = 0] = format(zone, { hour: '2-digit', minute: '2-digit' })
		.formatToParts(date)
		.filter((part) => part.type === 'hour' || part.type === 'minute')
		.map((part) => Number(part.value));
	const days = (Date.parse(`${today(zone, date)}T00:00:00Z`) - Date.parse(`${day}T00:00:00Z`)) / 86_400_000;
	return days * 1440 + hours * 60 + minutes;
}

/** 1 h 20 min, of seconds. */
export function lasting(seconds: number): string {
	const minutes = Math.round(seconds / 60);
	if (minutes < 60) return `${minutes} min`;
	return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
