// A drag of orders to a driver: those under the pointer, and with them the selection that they are part of.
import type { Day, Place } from './day.svelte';
import { beginDrag, nobody } from './drag.svelte';
import { numbers } from './moves.svelte';
import { withSelected } from './selection';

/** What is moved together with some orders, as far as nobody has begun with it. */
export const movedWith = (day: Day, orderIds: number[]): Place[] =>
	withSelected(orderIds).flatMap((id) => day.placeOf(id) ?? []).filter((order) => !order.begun);

/** Begins to drag orders. They are dropped on a driver, or on the row of all who are free, which asks for one. */
export function beginMove(day: Day, orderIds: number[], event: MouseEvent): void {
	const orders = movedWith(day, orderIds);
	if (!orders[0]) return;
	beginDrag(event, orders.map((order) => order.orderId), numbers(orders), (driverId) => {
		if (driverId === nobody) return day.moves.choose(orders);
		const to = day.targets(orders[0]!.departmentId).find((row) => row.driverId === driverId);
		const others = orders.filter((order) => order.driverId !== driverId);
		if (to && others.length) void day.moves.consider(others, to);
	});
}
