// The cells of a list of records.
import { nameOfChoice } from '../forms/named.svelte';
import type { Shape } from '$shared/forms';
import { nameOf, t } from '$shared/words.svelte';
import type { Thing } from './records';

interface Place {
	address1: string | null;
	postal_code: string | null;
	city: string | null;
}

/** A column's value of a record in words. */
export function textOf(thing: Thing, column: string, shape: Shape): string {
	const value = thing[column];
	if (value === null || value === undefined) return '';
	if (typeof value === 'boolean') return value ? t('form.yes') : t('form.no');
	switch (column) {
		case 'address': {
			if (typeof value === 'string') return value;
			const place = value as Place;
			return [place.address1, [place.postal_code, place.city].filter(Boolean).join(' ')].filter(Boolean).join(', ');
		}
		case 'areas':
			return (value as { country: string; from: string; to: string }[])
				.map(({ country, from, to }) => `${country} ${from}${to && to !== from ? `–${to}` : ''}`.trim())
				.join(', ');
		case 'vehicle_type':
			return (value as { name: string }).name;
		case 'home_location_id':
			return nameOfChoice('locations', value);
	}
	if (shape.fields.some(({ name, kind }) => name === column && kind === 'choice')) return nameOf('choice', String(value));
	return String(value);
}

/** Numbers are aligned to the right. */
export const isNumber = (column: string): boolean => /^(max_|weight$|priority$|position$|minimum_price$)/.test(column);

export const isInUse = (thing: Thing): boolean => (thing['is_active'] ?? thing['isActive']) !== false;
