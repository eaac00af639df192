// The columns of a list, as given in the URL.
import type { Column } from '$shared/ui/Table.svelte';

/** A column that can be left out, or, when it is extra, taken in. */
export interface Choosable<Row> extends Column<Row> {
	extra?: boolean;
}

/** The default columns. */
export const usualOf = <Row>(columns: Choosable<Row>[]): string[] =>
	columns.filter(({ extra }) => !extra).map(({ key }) => key);

/** The columns to show: the first one and the requested ones. */
export function keysOf<Row>(columns: Choosable<Row>[], asked: string): string[] {
	const keys = columns.map(({ key }) => key);
	const wanted = asked.split(',').filter((key) => keys.includes(key));
	return wanted.length ? keys.filter((key, index) => index === 0 || wanted.includes(key)) : usualOf(columns);
}

/** Those columns. Chosen columns are shown on narrow screens, too. */
export function shownOf<Row>(columns: Choosable<Row>[], asked: string): Column<Row>[] {
	const keys = keysOf(columns, asked);
	const shown = columns.filter(({ key }) => keys.includes(key));
	return asked ? shown.map((column) => ({ ...column, minor: false })) : shown;
}
