// Keyboard control of the board: arrows go from stop to stop and from driver to
// driver, Space picks an order up, arrows then choose a driver, Enter previews
// the move, Escape cancels. Screen readers announce the effect beforehand.
import { lasting } from '$shared/moments';
import { may } from '$shared/session.svelte';
import { t } from '$shared/words.svelte';
import type { Day } from './day.svelte';
import { numbers, type Consideration, type Target } from './moves.svelte';
import { stopKey, type PlannedStop } from './plan';
import type { Row } from './rows';

/** Distinguishes the name of a driver from the stops in the same grid. */
export const driverKey = (driverId: number): string => `d${driverId}`;

/** How long to stay with a driver before the service is called for a preview. */
const patience = 350;

export class BoardKeys {
	/** The order that is picked up, and the driver it would go to. */
	held = $state(0);
	aimed = $state.raw<Target>();
	/** The text for screen readers. */
	said = $state('');
	/** The only cell in the tab order. */
	here = $state('');
	/** The grid has the focus; if the focused cell moves, the focus follows. */
	isInside = false;
	#asking: ReturnType<typeof setTimeout> | undefined;

	constructor(
		readonly day: Day,
		readonly rows: () => Row[],
		readonly choose: (key: string) => void
	) {}

	/** The cell that Tab leads to: the last that had the focus, or the first. It is looked for once, and not by each cell. */
	readonly tabstop = $derived.by(() => {
		const first = this.rows()[0];
		return this.#find(this.here) ? this.here : first ? driverKey(first.driverId) : '';
	});

	/** Returns the focus to its cell after a redraw. */
	restore(): void {
		if (this.isInside && document.activeElement === document.body) focusCell(this.tabstop);
	}

	/** Takes a key that was pressed at a cell. */
	press = (event: KeyboardEvent): void => {
		const key = cellOf(event.target);
		const at = key ? this.#find(key) : undefined;
		if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
		const taken = this.held ? this.#whileHeld(event.key) : this.#whileFree(event.key, key, at);
		if (!taken) return;
		event.preventDefault();
		event.stopPropagation();
	};

	#whileFree(pressed: string, key: string, [row, place]: [number, number]): boolean {
		const stop = this.rows()[row]?.stops[place];
		switch (pressed) {
			case 'ArrowLeft':
			case 'ArrowRight':
			case 'ArrowUp':
			case 'ArrowDown':
			case 'Home':
			case 'End':
				this.#go(pressed, row, place);
				return true;
			case 'Enter':
				this.choose(key);
				return true;
			case ' ':
				if (stop) this.#pickUp(row, stop);
				return true;
			case 'm':
			case 'l':
				return stop ? this.#act(pressed, stop) : false;
			case 'f':
			case 'e':
			case 's':
			case 'r':
				return this.#arrange(pressed, this.rows()[row]!, stop);
		}
		return false;
	}

	/** Offers another place for a stop: first, at the end, or any; or the whole route the other way around. */
	#arrange(pressed: 'f' | 'e' | 's' | 'r', row: Row, stop: PlannedStop | undefined): boolean {
		if (!row.route || !may('admin', 'dispatcher') || (!stop && pressed !== 's' && pressed !== 'r')) return false;
		const where = ({ f: 'first', e: 'last', r: 'reverse' } as const)[pressed as 'f' | 'e' | 'r'];
		this.day.wish = { to: 'sequence', driverId: row.driverId, ...(stop && { stop: stopKey(stop) }), ...(where && { placing: { where } }) };
		return true;
	}

	#act(pressed: string, stop: PlannedStop): boolean {
		const order = this.day.placeOf(stop.orderId);
		if (!order || !may('admin', 'dispatcher')) return false;
		if (pressed === 'm') this.day.moves.choose([order]);
		else void this.day.moves.lock(order, !order.locked);
		return true;
	}

	#whileHeld(pressed: string): boolean {
		if (pressed === 'ArrowUp' || pressed === 'ArrowDown') this.#aim(pressed === 'ArrowUp' ? -1 : 1);
		else if (pressed === 'Enter') this.#drop();
		else if (pressed === 'Escape') this.letGo(t('day.let_go'));
		return pressed !== 'Tab';
	}

	/** Where a cell is, by row and place in it; the name of the driver is before the first stop. */
	#find(key: string): [number, number] | undefined {
		for (const [index, row] of this.rows().entries()) {
			if (driverKey(row.driverId) === key) return [index, -1];
			const place = row.stops.findIndex((stop) => stopKey(stop) === key);
			if (place >= 0) return [index, place];
		}
		return undefined;
	}

	#go(pressed: string, row: number, place: number): void {
		const rows = this.rows();
		const last = (rows[row]?.stops.length ?? 0) - 1;
		const within = { ArrowLeft: Math.max(place - 1, -1), ArrowRight: Math.min(place + 1, last), Home: -1, End: last };
		if (pressed in within) {
			focus(row, within[pressed as keyof typeof within], rows);
			return;
		}
		const next = Math.min(Math.max(row + (pressed === 'ArrowUp' ? -1 : 1), 0), rows.length - 1);
		const here = rows[row]?.stops[place];
		if (next !== row) focus(next, here ? nearest(rows[next]?.stops ?? [], here) : -1, rows);
	}

	#pickUp(row: number, stop: PlannedStop): void {
		const { driverId, driverName } = this.rows()[row]!;
		if (!may('admin', 'dispatcher')) return;
		if (this.day.placeOf(stop.orderId)?.begun) {
			this.said = t('day.begun', { number: stop.externalId });
			return;
		}
		this.held = stop.orderId;
		this.aimed = { driverId, driverName };
		this.said = t('day.picked_up', { number: stop.externalId });
	}

	/** Aims at the next driver of the same plan, and announces the preview. */
	#aim(step: number): void {
		const order = this.day.placeOf(this.held);
		if (!order) return this.letGo('');
		const rows = this.rows().filter((row) => row.departmentId === order.departmentId);
		const now = rows.findIndex((row) => row.driverId === this.aimed?.driverId);
		const next = rows[Math.min(Math.max(now + step, 0), rows.length - 1)];
		if (!next) return;
		const aimed = { driverId: next.driverId, driverName: next.driverName };
		this.aimed = aimed;
		this.said = next.driverName;
		document.querySelector(`[data-driver="${next.driverId}"]`)?.scrollIntoView({ block: 'nearest' });
		clearTimeout(this.#asking);
		if (next.driverId === order.driverId) return;
		this.#asking = setTimeout(() => {
			void this.day.moves.ask([order], aimed).then((answer) => {
				if (this.aimed === aimed) this.said = verdict(answer);
			});
		}, patience);
	}

	/** Drops what is picked up, without moving anything. */
	letGo(words: string): void {
		clearTimeout(this.#asking);
		this.held = 0;
		this.aimed = undefined;
		this.said = words;
	}

	#drop(): void {
		const order = this.day.placeOf(this.held);
		const to = this.aimed;
		this.letGo('');
		if (order && to && to.driverId !== order.driverId) void this.day.moves.consider([order], to);
	}
}

/** The cell of the grid that something is in. */
export const cellOf = (target: EventTarget | null): string =>
	(target as HTMLElement | null)?.closest<HTMLElement>('[data-cell]')?.dataset['cell'] ?? '';

const focusCell = (key: string) => document.querySelector<HTMLElement>(`[data-cell="${key}"]`)?.focus();

function focus(row: number, place: number, rows: Row[]): void {
	const stop = rows[row]?.stops[place];
	focusCell(stop ? stopKey(stop) : driverKey(rows[row]?.driverId ?? 0));
}

/** The index of the stop nearest in time, or -1 without stops. */
function nearest(stops: PlannedStop[], to: PlannedStop): number {
	const away = (stop: PlannedStop) => Math.abs(Date.parse(stop.startsAt) - Date.parse(to.startsAt));
	return stops.reduce((best, stop, place) => (best >= 0 && away(stops[best]!) <= away(stop) ? best : place), -1);
}

/** The preview of a move in one sentence. */
function verdict({ orders, to, outcome, problem }: Consideration): string {
	if (problem) return problem.message;
	if (!outcome) return '';
	const { drivingSeconds } = outcome.cost;
	return t('day.verdict', {
		number: numbers(orders),
		driver: to.driverName,
		driving: `${drivingSeconds < 0 ? '−' : '+'}${lasting(Math.abs(drivingSeconds))}`,
		fits: outcome.breaks.length ? t('day.breaks', { count: outcome.breaks.length }) : t('day.fits')
	});
}
