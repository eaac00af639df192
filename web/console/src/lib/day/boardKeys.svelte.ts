// Keyboard control of the board: arrows go from mark to mark and from driver to
// driver, Enter selects, with Shift in addition, Space picks orders up, arrows then
// choose a driver, Enter previews the move, Escape cancels. Screen readers announce
// the effect beforehand.
import { lasting } from '$shared/moments';
import { may } from '$shared/session.svelte';
import { t } from '$shared/words.svelte';
import type { Day } from './day.svelte';
import { ordersAt } from './marks';
import { numbers, type Consideration, type Target } from './moves.svelte';
import { stopKey, type PlannedStop } from './plan';
import type { Row } from './rows';
import { withSelected } from './selection';

/** Distinguishes the name of a driver from the stops in the same grid. */
export const driverKey = (driverId: number): string => `d${driverId}`;

/** How long to stay with a driver before the service is called for a preview. */
const patience = 350;

export class BoardKeys {
	/** The orders that are picked up, the first of them, and the driver they would go to. */
	heldOrders = $state.raw<number[]>([]);
	held = $derived(this.heldOrders[0] ?? 0);
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
		/** Selects a cell, or adds it to the selection. */
		readonly choose: (key: string, adds: boolean) => void,
		/** The stops of each mark of a row. */
		readonly marksOf: (row: Row) => PlannedStop[][] = (row) => row.stops.map((stop) => [stop])
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
		const taken = this.held ? this.#whileHeld(event.key) : this.#whileFree(event, key, at);
		if (!taken) return;
		event.preventDefault();
		event.stopPropagation();
	};

	#whileFree({ key: pressed, shiftKey }: KeyboardEvent, key: string, [row, place]: [number, number]): boolean {
		const stops = this.stopsAt(row, place);
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
				this.choose(key, shiftKey);
				return true;
			case ' ':
				if (stops) this.#pickUp(row, stops);
				return true;
			case 'm':
			case 'l':
				return stops ? this.#act(pressed, stops) : false;
			case 'f':
			case 'e':
			case 's':
			case 'r':
				return this.#arrange(pressed, this.rows()[row]!, stops?.[0]);
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

	#act(pressed: string, stops: PlannedStop[]): boolean {
		const orders = withSelected(ordersAt({ stops })).flatMap((id) => this.day.placeOf(id) ?? []);
		if (!orders[0] || !may('admin', 'dispatcher')) return false;
		const { moves } = this.day;
		if (pressed === 'm') moves.choose(orders);
		else if (orders.length === 1) void moves.lock(orders[0], !orders[0].locked);
		else void import('./bulk').then(({ lockAll }) => lockAll(this.day, orders, !orders[0]!.locked));
		return true;
	}

	/** The stops of a mark, by row and place in it. */
	stopsAt = (row: number, place: number): PlannedStop[] | undefined => {
		const at = this.rows()[row];
		return at && place >= 0 ? this.marksOf(at)[place] : undefined;
	};

	/** The stops of the mark with a key. */
	stopsOf = (key: string): PlannedStop[] => {
		const at = this.#find(key);
		return (at && this.stopsAt(...at)) ?? [];
	};

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
			if (!row.stops.some((stop) => stopKey(stop) === key)) continue;
			const place = this.marksOf(row).findIndex((stops) => stops.some((stop) => stopKey(stop) === key));
			if (place >= 0) return [index, place];
		}
		return undefined;
	}

	#go(pressed: string, row: number, place: number): void {
		const rows = this.rows();
		const marks = (at: number) => (rows[at] ? this.marksOf(rows[at]) : []);
		const last = marks(row).length - 1;
		const within = { ArrowLeft: Math.max(place - 1, -1), ArrowRight: Math.min(place + 1, last), Home: -1, End: last };
		if (pressed in within) {
			focus(rows[row], marks(row)[within[pressed as keyof typeof within]]);
			return;
		}
		const next = Math.min(Math.max(row + (pressed === 'ArrowUp' ? -1 : 1), 0), rows.length - 1);
		const here = marks(row)[place]?.[0];
		if (next !== row) focus(rows[next], here && nearest(marks(next), here));
	}

	#pickUp(row: number, stops: PlannedStop[]): void {
		const { driverId, driverName } = this.rows()[row]!;
		if (!may('admin', 'dispatcher')) return;
		const orders = withSelected(ordersAt({ stops })).flatMap((id) => this.day.placeOf(id) ?? []);
		const movable = orders.filter((order) => !order.begun);
		if (movable.length === 0) {
			this.said = t('day.begun', { number: numbers(orders) });
			return;
		}
		this.heldOrders = movable.map((order) => order.orderId);
		this.aimed = { driverId, driverName };
		this.said = t('day.picked_up', { number: numbers(movable) });
	}

	#heldPlaces = () => this.heldOrders.flatMap((id) => this.day.placeOf(id) ?? []);

	/** Aims at the next driver of the same plan, and announces the preview. */
	#aim(step: number): void {
		const orders = this.#heldPlaces();
		const [first] = orders;
		if (!first) return this.letGo('');
		const rows = this.rows().filter((row) => row.departmentId === first.departmentId);
		const now = rows.findIndex((row) => row.driverId === this.aimed?.driverId);
		const next = rows[Math.min(Math.max(now + step, 0), rows.length - 1)];
		if (!next) return;
		const aimed = { driverId: next.driverId, driverName: next.driverName };
		this.aimed = aimed;
		this.said = next.driverName;
		document.querySelector(`[data-driver="${next.driverId}"]`)?.scrollIntoView({ block: 'nearest' });
		clearTimeout(this.#asking);
		if (orders.every((order) => next.driverId === order.driverId)) return;
		this.#asking = setTimeout(() => {
			void this.day.moves.ask(orders, aimed).then((answer) => {
				if (this.aimed === aimed) this.said = verdict(answer);
			});
		}, patience);
	}

	/** Drops what is picked up, without moving anything. */
	letGo(words: string): void {
		clearTimeout(this.#asking);
		this.heldOrders = [];
		this.aimed = undefined;
		this.said = words;
	}

	#drop(): void {
		const to = this.aimed;
		const orders = this.#heldPlaces().filter((order) => order.driverId !== to?.driverId);
		this.letGo('');
		if (to && orders.length) void this.day.moves.consider(orders, to);
	}
}

/** The cell of the grid that something is in. */
export const cellOf = (target: EventTarget | null): string =>
	(target as HTMLElement | null)?.closest<HTMLElement>('[data-cell]')?.dataset['cell'] ?? '';

const focusCell = (key: string) => document.querySelector<HTMLElement>(`[data-cell="${key}"]`)?.focus();

/** Focuses a mark, or the name of the driver. */
const focus = (row: Row | undefined, stops: PlannedStop[] | undefined): void =>
	focusCell(stops?.[0] ? stopKey(stops[0]) : driverKey(row?.driverId ?? 0));

/** The mark nearest in time, if there is any. */
function nearest(marks: PlannedStop[][], to: PlannedStop): PlannedStop[] | undefined {
	const away = ([stop]: PlannedStop[]) => Math.abs(Date.parse(stop!.startsAt) - Date.parse(to.startsAt));
	return marks.reduce<PlannedStop[] | undefined>((best, mark) => (best && away(best) <= away(mark) ? best : mark), undefined);
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
