// A drag of orders to a driver: those under the pointer, and with them the selection that they are part of.
import type { Day, Place } from './day.svelte';
import { beginDrag, nobody, type Point } from './drag.svelte';
import { numbers } from './moves.svelte';
import type { Row } from './rows';
import { withSelected } from './selection';

/** What is moved together with some orders, as far as nobody has begun with it. */
export const movedWith = (day: Day, orderIds: number[]): Place[] =>
	withSelected(orderIds).flatMap((id) => day.placeOf(id) ?? []).filter((order) => !order.begun);

/**
 * Begins to drag orders. They are dropped on a driver, on the row of all who are free, which asks for
 * one, or in their own row, for another place in the sequence.
 */
export function beginMove(day: Day, orderIds: number[], event: MouseEvent, within?: (row: Row, at: Point) => void): void {
	const all = withSelected(orderIds).flatMap((id) => day.placeOf(id) ?? []);
	const orders = all.filter((order) => !order.begun);
	if (!all[0]) return;
	beginDrag(event, all.map((order) => order.orderId), numbers(all), (driverId, at) => {
		if (driverId === nobody) return day.moves.choose(all);
		const to = day.targets(all[0]!.departmentId).find((row) => row.driverId === driverId);
		if (!to) return;
		const others = orders.filter((order) => order.driverId !== driverId);
		if (others.length) void day.moves.consider(others, to);
		else if (all.every((order) => order.driverId === driverId)) within?.(to, at);
		else day.moves.choose(all); // says that they have begun
	});
}
