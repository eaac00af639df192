// What an order lacks, for users of a form: the service names the fields of its
// requests, and what programs may send in them.
import { nameOf, t } from '$shared/words.svelte';
import type { Reason } from './form';

/** The error, in the console's words if it has some, otherwise in the service's. */
export function saidOf({ reason, message }: Reason): string {
	const word = reason ? nameOf('lack', reason) : '';
	return word === reason || word === '' ? message : word;
}

/** The same if the received value is not shown next to it: the service names the unknown value. */
export const saidAlone = (reason: Reason): string => (reason.reason?.endsWith('_NOT_FOUND') ? reason.message : saidOf(reason));

/** The form's label for a path such as products[0].weight. */
export function labelOf(path: string, again = false): string {
	const steps = path.split('.');
	return steps
		.map((step, at) => {
			const [, name = step, index] = /^(\w+)\[(\d+)\]$/.exec(step) ?? [];
			const last = at === steps.length - 1;
			if ((name === 'address' || name === 'contacts') && !last) return '';
			const label = at === 0 ? first(name, again) : name === 'contacts' ? t('stop.contact') : nameOf('field', name);
			return index === undefined ? label : `${label} ${Number(index) + 1}`;
		})
		.filter(Boolean)
		.join(' · ');
}

/** The labels of the order's own fields. */
function first(name: string, again: boolean): string {
	if (name === 'externalId') return t('orders.number');
	if (name === 'date') return again ? t('recurring.counted_from') : t('orders.date');
	if (name === 'pickup' || name === 'delivery') return t(`stop.${name}`);
	return name === 'products' ? t('order.products') : nameOf('field', name);
}

/** Errors within a part of an order that belong to none of the form's fields. */
export function besides(reasons: Reason[], part: string, fields: readonly string[]): Reason[] {
	return reasons.filter(({ field }) => {
		const rest = field.startsWith(part) ? field.slice(part.length) : undefined;
		return rest !== undefined && /^($|[.[])/.test(rest) && !fields.includes(rest.replace(/^(\[\d+\])?\./, ''));
	});
}
