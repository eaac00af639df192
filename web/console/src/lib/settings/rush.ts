// When driving takes longer, in the form of the organization: days of the week are flags there.
import type { Schema } from '$shared/api';
import { toMake, written, type Field, type Writing } from '$shared/forms';

type RushHours = Schema<'RushHours'>;
type RushHoursRequest = Schema<'RushHoursRequest'>;

const weekdays: Schema<'WeekdayCode'>[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const areas: Field = {
	name: 'areas',
	kind: 'list',
	fields: [
		{ name: 'country', kind: 'text', required: true, longest: 2 },
		{ name: 'from', kind: 'text' },
		{ name: 'to', kind: 'text' },
		{ name: 'prefix', kind: 'text' }
	]
};

/** The fields of the rush hours of an organization. */
export const rushHours: Field = {
	name: 'rush_hours',
	kind: 'list',
	fields: [
		{ name: 'days', kind: 'group', fields: weekdays.map((name) => ({ name, kind: 'flag' })) },
		{ name: 'from', kind: 'text', required: true, longest: 5 },
		{ name: 'until', kind: 'text', required: true, longest: 5 },
		{ name: 'factor', kind: 'number', required: true },
		areas
	]
};

/** Writes rush hours into the form. All days are no days in it. */
export function rushWritten(hours: RushHours[]): Writing[] {
	return hours.map((one) => {
		const days = Object.fromEntries(weekdays.map((day) => [day, one.days.includes(day)]));
		return written(rushHours.fields ?? [], { ...one, days });
	});
}

/** The rush hours in the form, as they are sent. */
export function rushSaid(form: Writing[]): RushHoursRequest[] {
	return form.map((one) => {
		const days = one['days'] as Record<string, boolean>;
		return { ...toMake(rushHours.fields ?? [], one), days: weekdays.filter((day) => days[day]) } as RushHoursRequest;
	});
}
