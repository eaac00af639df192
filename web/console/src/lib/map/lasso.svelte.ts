// A line that is drawn around things with the pointer.

export type Spot = readonly [x: number, y: number];

/** Whether a spot is inside a closed line. */
export function isInside([x, y]: Spot, line: readonly Spot[]): boolean {
	let inside = false;
	for (const [index, [ax, ay]] of line.entries()) {
		const [bx, by] = line[(index || line.length) - 1]!;
		if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
	}
	return inside;
}

export class Lasso {
	/** The line so far, in pixels of the drawing. */
	line = $state.raw<Spot[]>([]);

	/** Begins to draw; done is called with what is inside once the pointer is released, unless that was at once. */
	begin(event: MouseEvent, drawing: HTMLElement, done: (isInside: (spot: Spot) => boolean) => void): void {
		const { left, top } = drawing.getBoundingClientRect();
		const spot = (at: MouseEvent): Spot => [at.clientX - left, at.clientY - top];
		const stop = new AbortController();
		const { signal } = stop;
		const end = () => {
			stop.abort();
			this.line = [];
		};
		this.line = [spot(event)];
		window.addEventListener('pointermove', (moved) => (this.line = [...this.line, spot(moved)]), { signal });
		window.addEventListener('pointerup', () => {
			const line = this.line;
			end();
			if (line.length > 2) done((one) => isInside(one, line));
		}, { signal });
		window.addEventListener('pointercancel', end, { signal });
		window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
	}
}
