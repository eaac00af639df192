// What an order lacks, told to who fills in a form: the service speaks of the fields of
// its requests, and of what programs may send in them.
import { nameOf, t } from '$shared/words.svelte';
import type { Reason } from './form';

/** What is wrong, in the console's words where it has some, otherwise in the service's. */
export function saidOf({ reason, message }: Reason): string {
	const word = reason ? nameOf('lack', reason) : '';
	return word === reason || word === '' ? message : word;
}

/** The same where what came is not beside it: the service names what it does not know. */
export const saidAlone = (reason: Reason): string => (reason.reason?.endsWith('_NOT_FOUND') ? reason.message : saidOf(reason));

/** The labels of a form for a path such as products[0].weight. */
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

/** The labels of what an order itself has. */
function first(name: string, again: boolean): string {
	if (name === 'externalId') return t('orders.number');
	if (name === 'date') return again ? t('recurring.counted_from') : t('orders.date');
	if (name === 'pickup' || name === 'delivery') return t(`stop.${name}`);
	return name === 'products' ? t('order.products') : nameOf('field', name);
}

/** What is wrong within a part of an order, and at none of the fields that the form has there. */
export function besides(reasons: Reason[], part: string, fields: readonly string[]): Reason[] {
	return reasons.filter(({ field }) => {
		const rest = field.startsWith(part) ? field.slice(part.length) : undefined;
		return rest !== undefined && /^($|[.[])/.test(rest) && !fields.includes(rest.replace(/^(\[\d+\])?\./, ''));
	});
}
