// A table as a file that spreadsheets open.

/** A column: its title and its value for a row. */
export interface CsvColumn<Row> {
	title: string;
	text: (row: Row) => string;
}

function cell(text: string): string {
	// A spreadsheet would run a cell that begins like a formula.
	const safe = /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.,]+$/.test(text) ? `'${text}` : text;
	return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes rows as CSV, with a mark that has spreadsheets read it as UTF-8. */
export function csvOf<Row>(columns: CsvColumn<Row>[], rows: Row[]): string {
	const lines = [columns.map((column) => cell(column.title)), ...rows.map((row) => columns.map((c) => cell(c.text(row))))];
	return `\uFEFF${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}

/** Has the browser save a file. */
export function save(name: string, content: string): void {
	const address = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }));
	const link = document.createElement('a');
	link.href = address;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(address), 1000);
}
