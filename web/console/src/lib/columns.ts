// Which columns of a list are shown, as the address says it.
import type { Column } from '$shared/ui/Table.svelte';

/** A column that can be left out, or, when it is extra, taken in. */
export interface Choosable<Row> extends Column<Row> {
	extra?: boolean;
}

/** The columns that are shown when nobody says which. */
export const usualOf = <Row>(columns: Choosable<Row>[]): string[] =>
	columns.filter(({ extra }) => !extra).map(({ key }) => key);

/** The columns that are shown: the first one and those that are asked for. */
export function keysOf<Row>(columns: Choosable<Row>[], asked: string): string[] {
	const keys = columns.map(({ key }) => key);
	const wanted = asked.split(',').filter((key) => keys.includes(key));
	return wanted.length ? keys.filter((key, index) => index === 0 || wanted.includes(key)) : usualOf(columns);
}

/** Those columns. Whoever chose them wants them on a narrow screen as well. */
export function shownOf<Row>(columns: Choosable<Row>[], asked: string): Column<Row>[] {
	const keys = keysOf(columns, asked);
	const shown = columns.filter(({ key }) => keys.includes(key));
	return asked ? shown.map((column) => ({ ...column, minor: false })) : shown;
}
