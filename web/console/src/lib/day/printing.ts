// The routes of a day on paper: what a driver needs to find each address.
import { mount, tick, unmount } from 'svelte';
import { api, ask, asProblem, type Schema } from '$shared/api';
import { say } from '$shared/toasts.svelte';
import { t } from '$shared/words.svelte';
import type { PlannedStop } from './plan';
import Printed from './Printed.svelte';
import type { Row } from './rows';

export type Order = Schema<'Order'>;

/** A line of a printed route: a stop, or the pickups of many orders at one place. */
export interface Line {
	stop: PlannedStop;
	orders: Order[];
	/** How many orders are loaded together. */
	count: number;
}

export interface PrintedRoute {
	row: Row;
	lines: Line[];
}

const relations: Schema<'OrderRelation'>[] = ['OrderLocations.Address', 'OrderLocations.OrderLocationContacts', 'OrderProducts'];

const byName = 100; // up to this many orders are read one by one

async function readOrders(date: string, rows: Row[]): Promise<Map<number, Order>> {
	const ids = [...new Set(rows.flatMap((row) => row.stops.map((stop) => stop.orderId)))];
	const filters = ids.length <= byName ? ids.map((id) => `order_id=${id}`) : undefined;
	const query = { startDate: date, endDate: date, loads: relations, ...(filters && { filters }) };
	const orders = await ask(api.GET('/v1/orders', { params: { query } }));
	return new Map(orders.map((order) => [order.order_id, order]));
}

const samePlace = (one: PlannedStop, other: PlannedStop): boolean =>
	one.stop === 'PICKUP' && other.stop === 'PICKUP' && one.name === other.name && one.city === other.city;

/** The stops of a route, with the loads of many orders at one place in one line. */
export function linesOf(stops: PlannedStop[], orders: Map<number, Order>): Line[] {
	const lines: Line[] = [];
	for (const stop of stops) {
		const last = lines.at(-1);
		const known = orders.get(stop.orderId);
		if (last && samePlace(last.stop, stop)) {
			last.count++;
			if (known) last.orders.push(known);
		} else lines.push({ stop, count: 1, orders: known ? [known] : [] });
	}
	return lines;
}

let sheet: ReturnType<typeof mount> | undefined;

function clear(): void {
	if (sheet) void unmount(sheet);
	sheet = undefined;
}

/**
 * Prints routes: reads the details of their orders that the plan does not have, draws them, and
 * opens the browser's dialog.
 */
export async function printRoutes(date: string, rows: Row[]): Promise<void> {
	try {
		const orders = await readOrders(date, rows);
		clear();
		const routes = rows.map((row) => ({ row, lines: linesOf(row.stops, orders) }));
		sheet = mount(Printed, { target: document.querySelector('main')!, props: { date, routes } });
		await tick();
		addEventListener('afterprint', clear, { once: true });
		print();
	} catch (error) {
		say(asProblem(error).message || t('failure.unreachable'), { kind: 'failed' });
	}
}
