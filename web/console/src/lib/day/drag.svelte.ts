// Dragging orders to a driver with a pointer. The same is done with keys and by menu.

const threshold = 6;
const none: readonly number[] = [];

/** Where the pointer is on the screen. */
export interface Point {
	x: number;
	y: number;
}

/**
 * What is dragged, and over which driver: it rarely changes, and neither do the components that
 * depend on it.
 */
const what = $state({ orderId: 0, orderIds: none, label: '', over: 0 });

interface Dragged {
	/** The first order. */
	readonly orderId: number;
	readonly orderIds: readonly number[];
	readonly label: string;
	/** The driver, or `nobody`. */
	readonly over: number;
}

export const dragged = (): Dragged => what;

/** In place of a driver: the row of all who are free. */
export const nobody = -1;

let ghost: HTMLElement | undefined;

/** Has an element follow the pointer while something is dragged. */
export function ghostly(element: HTMLElement): () => void {
	ghost = element;
	return () => (ghost = undefined);
}

type Finder = (x: number, y: number) => number;
const finders = new Set<Finder>();

/** Has a drawing say which driver is at a point of the window, for as long as it is there. */
export function alsoAt(finder: Finder): () => void {
	finders.add(finder);
	return () => finders.delete(finder);
}

function driverAt(x: number, y: number): number {
	const named = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-driver]')?.dataset['driver'];
	if (named) return Number(named);
	for (const finder of finders) {
		const found = finder(x, y);
		if (found) return found;
	}
	return 0;
}

/** Begins to drag orders when the pointer moves far enough; drop is called with the driver that they are dropped on, and where. */
export function beginDrag(event: MouseEvent, orderIds: number[], label: string, drop: (driverId: number, at: Point) => void): void {
	if (event.button !== 0 || (event as PointerEvent).pointerType === 'touch') return;
	const from = { x: event.clientX, y: event.clientY };
	const at = { ...from };
	const stop = new AbortController();
	const { signal } = stop;
	let frame = 0;

	const end = () => {
		stop.abort();
		cancelAnimationFrame(frame);
		Object.assign(what, { orderId: 0, orderIds: none, label: '', over: 0 });
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
		if (!what.orderId) Object.assign(what, { orderId: orderIds[0] ?? 0, orderIds, label });
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
