// The fields of the service's errors, in the words of forms.
import { nameOf } from './words.svelte';

/**
 * The name of a field by its path, such as "Goods 2, Quantity" for products[1].quantity. A part
 * without a name of its own is left out.
 */
export function fieldOf(path: string): string {
	return path
		.split('.')
		.map((part) => {
			const [, name = part, index] = /^(.*?)(?:\[(\d+)\])?$/.exec(part) ?? [];
			const named = nameOf('field', name);
			return named === name ? '' : index === undefined ? named : `${named} ${Number(index) + 1}`;
		})
		.filter(Boolean)
		.join(', ');
}
