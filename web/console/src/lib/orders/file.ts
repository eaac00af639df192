// The list of orders as a file, with all that match.
import type { Schema } from '$shared/api';
import { csvOf, save, type CsvColumn } from '$shared/csv';
import { say } from '$shared/toasts.svelte';
import { t } from '$shared/words.svelte';
import { listOrders, type Order, type OrderQuery, type OrderRows } from './list';

/** The most orders that a file holds. */
const mostInFile = 10_000;
const readAtOnce = 200;

/** Reads all orders that match, a page at a time and at most as many as a file holds. */
async function listAll(query: OrderQuery, more: Schema<'OrderRelation'>[], ondone: (done: number, of: number) => void): Promise<OrderRows> {
	const rows = new Map<number, Order>();
	for (let page = 1; ; page++) {
		const got = await listOrders({ ...query, page }, more, readAtOnce);
		// An order that came meanwhile has moved others to the next page.
		for (const order of got.rows) rows.set(order.order_id, order);
		ondone(rows.size, got.total);
		if (page >= got.pages || rows.size >= mostInFile) return { ...got, rows: [...rows.values()].slice(0, mostInFile) };
	}
}

/** Saves all orders that match as CSV, and says so when the file does not hold them all. */
export async function saveAll(
	query: OrderQuery,
	columns: CsvColumn<Order>[],
	more: Schema<'OrderRelation'>[],
	ondone: (done: number, of: number) => void
): Promise<void> {
	const { rows, total } = await listAll(query, more, ondone);
	save('orders.csv', csvOf(columns, rows));
	if (total > rows.length) say(t('csv.bounded', { most: mostInFile, total }), { kind: 'failed' });
}
