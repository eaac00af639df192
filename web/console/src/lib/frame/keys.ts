// Keys that work on every page. A page's own keys are in the help.

/** Reports whether keys are written somewhere, so that they mean themselves. */
export function isWriting(event: KeyboardEvent): boolean {
	const target = event.target as HTMLElement;
	return (
		target.isContentEditable ||
		target.matches('input:not([type=checkbox], [type=radio]), textarea, select') ||
		event.ctrlKey ||
		event.metaKey ||
		event.altKey
	);
}

/** Moves the focus to the next or previous row. */
export function focusRow(step: 1 | -1): void {
	const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
	const now = rows.indexOf(document.activeElement as HTMLElement);
	const next = now < 0 ? (step > 0 ? 0 : rows.length - 1) : now + step;
	rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}
