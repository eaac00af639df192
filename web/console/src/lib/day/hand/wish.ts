// What somebody wants to do with a route by hand, before its dialog is loaded.
import type { Point } from '../drag.svelte';
import type { Row } from '../rows';

/** Where a stop goes in its route, or the whole route. */
export type Where = 'first' | 'last' | 'before' | 'after' | 'reverse' | 'hold';

export interface Placing {
	where: Where;
	/** The other stop, for before and after. */
	at?: string;
}

export type Wish =
	| { to: 'sequence'; driverId: number; /** The stop that gets another place; none for the whole route. */ stop?: string; placing?: Placing }
	| { to: 'cover' | 'swap'; driverId: number };

/** Where a stop belongs that is dropped at a moment in the row of its driver. */
export function placingAt(row: Row, stop: string, moment: number, keyOf: (stop: Row['stops'][number]) => string): Placing | undefined {
	const others = row.stops.filter((one) => keyOf(one) !== stop);
	const next = others.find((one) => (Date.parse(one.startsAt) + Date.parse(one.leavesAt)) / 2 > moment);
	const at = next ?? others.at(-1);
	return at && { where: next ? 'before' : 'after', at: keyOf(at) };
}

/** Where a stop belongs that is dropped at a place in a list of stops. */
export function placingBeside(stop: string, { x, y }: Point): Placing | undefined {
	const other = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-stop]');
	const at = other?.dataset['stop'];
	if (!other || !at || at === stop) return undefined;
	const { top, height } = other.getBoundingClientRect();
	return { where: y < top + height / 2 ? 'before' : 'after', at };
}
