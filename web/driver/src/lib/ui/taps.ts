// One tap does one thing. A main button that has just appeared ignores taps
// (driver.css), and so does one that was just tapped.

const pause = 500;

/** Ignores a second tap on a main button that follows too soon. */
export function once(event: MouseEvent): void {
	const main = (event.target as Element).closest<HTMLElement>('.main');
	if (!main) return;
	if (main.dataset['tapped']) {
		event.preventDefault();
		event.stopImmediatePropagation();
		return;
	}
	main.dataset['tapped'] = 'true';
	setTimeout(() => delete main.dataset['tapped'], pause);
}
