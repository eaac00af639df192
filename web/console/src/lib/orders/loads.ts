// Amounts in load dimensions, as people read them.
import { locale } from '$shared/words.svelte';

interface Load {
	amount: number;
	dimension: string;
}

/** The amounts with their dimensions, such as “1.5 pallets, 20 boxes”. */
export const loadsIn = (loads: Load[] | undefined): string =>
	(loads ?? []).map(({ amount, dimension }) => `${new Intl.NumberFormat(locale()).format(amount)} ${dimension}`).join(', ');
