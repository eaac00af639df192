// Scrolls the board to what is selected elsewhere, without moving the page.

const room = 24;

/** Scrolls a cell of the board into view, unless it is there. The axis and the names cover the board's edges. */
export function reveal(board: HTMLElement, cell: HTMLElement, names: number): void {
	const [within, at] = [board.getBoundingClientRect(), cell.getBoundingClientRect()];
	const axis = 28;
	const isName = cell.role === 'rowheader';
	const left = isName ? 0 : beyond(at.left - room, at.right + room, within.left + names, within.right);
	const top = beyond(at.top - room, at.bottom + room, within.top + axis, within.bottom);
	if (left || top) board.scrollBy({ left, top });
}

/** How far a span is before (negative) or after another that should hold it. */
function beyond(from: number, to: number, start: number, end: number): number {
	if (from < start) return from - start;
	return Math.max(0, Math.min(to - end, from - start));
}
