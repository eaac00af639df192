// What an order was before somebody changed it, and what it is now, in words.
import type { Schema } from '$shared/api';
import { clock, shortDay, today } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { locale, t } from '$shared/words.svelte';

type Difference = Schema<'OrderDifference'>;

function nameOf(what: Difference['what']): string {
	switch (what) {
		case 'DATE':
			return t('since.date');
		case 'PICKUP_WINDOW':
			return t('since.pickup_window');
		case 'DELIVERY_WINDOW':
			return t('since.delivery_window');
		case 'PICKUP_PLACE':
			return t('since.pickup_place');
		case 'DELIVERY_PLACE':
			return t('since.delivery_place');
		case 'WEIGHT':
			return t('since.weight');
		case 'VEHICLE_TYPE':
			return t('since.vehicle_type');
	}
}

/** The times of a window; with its days if those differ from the other's. */
function windowOf(interval: string, other: string | null): string {
	const [from = '', to = ''] = interval.split('/');
	const times = `${clock(from, zone())}–${clock(to, zone())}`;
	const day = today(zone(), new Date(from));
	return other !== null && today(zone(), new Date(other.split('/')[0]!)) !== day ? `${shortDay(day)} ${times}` : times;
}

function valueOf(what: Difference['what'], value: string, other: string | null): string {
	if (what === 'DATE') return shortDay(value);
	if (what === 'PICKUP_WINDOW' || what === 'DELIVERY_WINDOW') return windowOf(value, other);
	if (what === 'WEIGHT') return `${new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(Number(value))} kg`;
	return value;
}

/** A difference in words, such as "Delivery 08:00–12:00 → 10:00–14:00". */
export function differenceOf({ what, from, to }: Difference): string {
	const was = from === null ? '' : valueOf(what, from, to);
	const is = to === null ? '' : valueOf(what, to, from);
	return [nameOf(what), was, is && `→ ${is}`].filter(Boolean).join(' ');
}
