// Dragging an order to a driver with a pointer. The same is done with keys and by menu.

const threshold = 6;

interface Drag {
	orderId: number;
	label: string;
	x: number;
	y: number;
	/** The driver whose row is below the pointer. */
	over: number | undefined;
}

const state = $state<{ now: Drag | undefined }>({ now: undefined });

/** What is dragged now, if anything. */
export const dragged = (): Drag | undefined => state.now;

function driverAt(x: number, y: number): number | undefined {
	const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-driver]');
	return row ? Number(row.dataset['driver']) : undefined;
}

/** Begins to drag an order when the pointer moves far enough; drop is called with the driver that it is dropped on. */
export function beginDrag(event: PointerEvent, orderId: number, label: string, drop: (driverId: number) => void): void {
	if (event.button !== 0 || event.pointerType === 'touch') return;
	const from = { x: event.clientX, y: event.clientY };
	const stop = new AbortController();
	const { signal } = stop;

	const end = () => {
		stop.abort();
		state.now = undefined;
	};

	window.addEventListener(
		'pointermove',
		(move) => {
			const { clientX: x, clientY: y } = move;
			if (!state.now && Math.hypot(x - from.x, y - from.y) < threshold) return;
			move.preventDefault();
			state.now = { orderId, label, x, y, over: driverAt(x, y) };
		},
		{ signal }
	);
	window.addEventListener(
		'pointerup',
		() => {
			const over = state.now?.over;
			if (state.now) swallowClick();
			end();
			if (over !== undefined) drop(over);
		},
		{ signal }
	);
	window.addEventListener('pointercancel', end, { signal });
	window.addEventListener('keydown', (key) => key.key === 'Escape' && end(), { signal });
}

/** A drag ends with a click of what was dragged, which nobody meant. */
function swallowClick(): void {
	const swallow = (event: MouseEvent) => {
		event.stopPropagation();
		event.preventDefault();
	};
	window.addEventListener('click', swallow, { capture: true, once: true });
	setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
}
