// A list as a file, with all that its filters find.
import { csvOf, save, type CsvColumn } from '$shared/csv';
import { say } from '$shared/toasts.svelte';
import { t } from '$shared/words.svelte';
import type { ReadPart } from './listed';

/** The most rows that a file holds. */
const mostInFile = 10_000;
const readAtOnce = 200;

/** Saves all rows of a list as CSV, and warns if the file is incomplete. */
export async function saveAll<Row>(
	name: string,
	columns: CsvColumn<Row>[],
	id: (row: Row) => string | number,
	read: ReadPart<Row>,
	ondone: (done: number) => void
): Promise<void> {
	const rows = new Map<string | number, Row>();
	let at = '';
	let cut: boolean;
	do {
		const part = await read(at, readAtOnce);
		// A new row moves others to the next page.
		for (const row of part.rows) rows.set(id(row), row);
		at = part.next;
		cut = part.cut ?? false;
		ondone(rows.size);
	} while (at && rows.size < mostInFile);
	const held = [...rows.values()].slice(0, mostInFile);
	save(name, csvOf(columns, held));
	if (at || cut || rows.size > held.length) say(t('csv.bounded', { most: held.length }), { kind: 'failed' });
}
