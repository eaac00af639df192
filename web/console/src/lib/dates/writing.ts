// Dates and times as fields show them, in the language of the page.
import { clock, daysAfter } from '$shared/moments';
import { locale } from '$shared/words.svelte';
import type { Kind } from './reading';

/** Wed 25/11/2026, Wed 25/11/2026 10:40 or 10:40, of a field's value. */
export function write(kind: Kind, value: string): string {
	if (!value) return '';
	if (kind === 'time') return clock(`2024-01-01T${value}:00Z`, 'UTC');
	const [day = '', time = ''] = value.split('T');
	return [written(day), time && write('time', time.slice(0, 5))].filter(Boolean).join(' ');
}

const written = (day: string): string =>
	new Intl.DateTimeFormat(locale(), { weekday: 'short', day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' })
		.format(new Date(`${day}T00:00:00Z`))
		.replace(',', '');

/** A value some steps later: days, or minutes on the clock. */
export function stepped(kind: Kind, value: string, steps: { days?: number; minutes?: number }): string {
	const [day = '', time = ''] = kind === 'time' ? ['2024-01-01', value] : value.split('T');
	const moved = daysAfter(day, steps.days ?? 0);
	if (!time) return moved;
	const at = new Date(Date.parse(`${moved}T${time}:00Z`) + (steps.minutes ?? 0) * 60_000).toISOString();
	return kind === 'time' ? at.slice(11, 16) : at.slice(0, 16);
}
