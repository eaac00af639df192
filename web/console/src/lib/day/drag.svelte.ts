// Dragging orders to a driver with a pointer. The same is done with keys and by menu.

const threshold = 6;

/** Where the pointer is on the screen. */
export interface Point {
	x: number;
	y: number;
}

/**
 * What is dragged, and over which driver: it rarely changes, and neither do the components that
 * depend on it.
 */
const what = $state({ orderId: 0, label: '', over: 0 });

export const dragged = (): { readonly orderId: number; readonly label: string; readonly over: number } => what;

let ghost: HTMLElement | undefined;

/** Has an element follow the pointer while something is dragged. */
export function ghostly(element: HTMLElement): () => void {
	ghost = element;
	return () => (ghost = undefined);
}

const driverAt = (x: number, y: number): number =>
	Number(document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-driver]')?.dataset['driver'] ?? 0);

/** Begins to drag an order when the pointer moves far enough; drop is called with the driver that it is dropped on, and where. */
export function beginDrag(event: PointerEvent, orderId: number, label: string, drop: (driverId: number, at: Point) => void): void {
	if (event.button !== 0 || event.pointerType === 'touch') return;
	const from = { x: event.clientX, y: event.clientY };
	const at = { ...from };
	const stop = new AbortController();
	const { signal } = stop;
	let frame = 0;

	const end = () => {
		stop.abort();
		cancelAnimationFrame(frame);
		Object.assign(what, { orderId: 0, label: '', over: 0 });
	};
	const draw = () => {
		frame = 0;
		what.over = driverAt(at.x, at.y);
		if (ghost) ghost.style.translate = `${at.x}px ${at.y}px`;
	};
	const move = (moved: PointerEvent) => {
		Object.assign(at, { x: moved.clientX, y: moved.clientY });
		if (!what.orderId && Math.hypot(at.x - from.x, at.y - from.y) < threshold) return;
		moved.preventDefault();
		Object.assign(what, { orderId, label });
		frame ||= requestAnimationFrame(draw); // no more often than it is visible
	};
	const release = () => {
		const over = what.orderId ? driverAt(at.x, at.y) : 0;
		if (what.orderId) swallowClick();
		end();
		if (over) drop(over, at);
	};
	window.addEventListener('pointermove', move, { signal });
	window.addEventListener('pointerup', release, { signal });
	window.addEventListener('pointercancel', end, { signal });
	window.addEventListener('selectstart', (select) => select.preventDefault(), { signal });
	window.addEventListener('keydown', (key) => key.key === 'Escape' && end(), { signal });
}

/** A drag ends with an unintended click on the dragged element. */
function swallowClick(): void {
	const swallow = (event: MouseEvent) => {
		event.stopPropagation();
		event.preventDefault();
	};
	window.addEventListener('click', swallow, { capture: true, once: true });
	setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
}
