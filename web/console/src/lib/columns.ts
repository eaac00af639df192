// The columns of a list, as given in the URL.
import type { Column } from '$shared/ui/Table.svelte';

/** A column that can be left out, or, when it is extra, taken in. */
export interface Choosable<Row> extends Column<Row> {
	extra?: boolean;
}

/** The default columns. */
export const usualOf = <Row>(columns: Choosable<Row>[]): string[] =>
	columns.filter(({ extra }) => !extra).map(({ key }) => key);

/** The columns to show: the first one, which names the rows, and the requested ones in their sequence. */
export function keysOf<Row>(columns: Choosable<Row>[], asked: string): string[] {
	const keys = columns.map(({ key }) => key);
	const wanted = new Set(asked.split(',').filter((key) => keys.includes(key)));
	return wanted.size ? [...new Set([...keys.slice(0, 1), ...wanted])] : usualOf(columns);
}

/** Those columns. Chosen columns are shown on narrow screens, too. */
export function shownOf<Row>(columns: Choosable<Row>[], asked: string): Column<Row>[] {
	const byKey = new Map(columns.map((column) => [column.key, column]));
	const shown = keysOf(columns, asked).map((key) => byKey.get(key)!);
	return asked ? shown.map((column) => ({ ...column, minor: false })) : shown;
}
