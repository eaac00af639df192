// The orders that a list shows.
import { api, ask, type Schema } from '$shared/api';
import { clock } from '$shared/moments';
import { zone } from '$shared/session.svelte';

export type Order = Schema<'Order'>;

const relations: Schema<'OrderRelation'>[] = ['Customer', 'Driver', 'VehicleType', 'OrderLocations.Address'];

export interface OrderQuery {
	text: string;
	statuses: number[];
	from: string;
	to: string;
	drivers: number[];
	types: number[];
	groups: number[];
	sort: Schema<'OrderSort'>;
	page: number;
}

export interface OrderRows {
	rows: Order[];
	total: number;
	pages: number;
	/** Whether there are more than can be listed. */
	cut: boolean;
}

export const pageSize = 50;

/** Reads a page of orders with the table's columns, which may need additional relations. */
export function listOrders(
	query: OrderQuery, more: Schema<'OrderRelation'>[] = [], limit = pageSize, signal: AbortSignal | null = null
): Promise<OrderRows> {
	const loads = [...relations, ...more];
	return query.text ? search(query, limit, loads, signal) : filter(query, limit, loads, signal);
}

async function search(query: OrderQuery, limit: number, loads: Schema<'OrderRelation'>[], signal: AbortSignal | null): Promise<OrderRows> {
	const params = { query: { query: query.text, page: query.page, limit, loads } };
	const page = await ask(api.GET('/v1/orders/search', { params, signal }));
	if (page.total > 0) return { rows: page.items, total: page.total, pages: page.pages, cut: false };
	// A phone number, a street or a part of a number finds orders by their words.
	const { items, hasMore } = await ask(
		api.GET('/v2/orders/find', { params: { query: { text: query.text, limit: pageSize } }, signal })
	);
	const rows = await withRelations(items.map(({ orderId, date }) => ({ order_id: orderId, date })), loads, signal);
	return { rows, total: items.length, pages: 1, cut: hasMore };
}

async function filter(query: OrderQuery, limit: number, loads: Schema<'OrderRelation'>[], signal: AbortSignal | null): Promise<OrderRows> {
	const body: Schema<'PaginatedOrdersRequest'> = {
		order_status_ids: query.statuses,
		driver_ids: query.drivers,
		order_type_ids: query.types,
		group_ids: query.groups,
		sort_by: query.sort,
		page: query.page,
		limit,
		loads
	};
	if (query.from) body.start_date = query.from;
	if (query.to) body.end_date = query.to;
	const page = await ask(api.POST('/v1/orders/paginated', { body, signal }));
	return { rows: page.items, total: page.total, pages: page.pages, cut: false };
}

/** A search returns no customers and places; the list by date does, for given orders. */
async function withRelations(
	orders: Pick<Order, 'order_id' | 'date'>[], loads: Schema<'OrderRelation'>[], signal: AbortSignal | null
): Promise<Order[]> {
	if (orders.length === 0) return [];
	const days = orders.map((order) => order.date).sort();
	const filters = orders.map((order) => `order_id=${order.order_id}`);
	const query = { startDate: days[0]!, endDate: days[days.length - 1]!, filters, loads };
	const full = await ask(api.GET('/v1/orders', { params: { query }, signal }));
	const byId = new Map(full.map((order) => [order.order_id, order]));
	return orders.flatMap((order) => byId.get(order.order_id) ?? []);
}

/** A stop of an order. */
export const stopOf = (order: Order, type: 'pickup' | 'delivery') =>
	order.order_locations?.find((stop) => stop.type === type);

/** When a stop may be visited, such as 10:00–12:00; either end may be open. */
export function windowOf(stop: Schema<'OrderLocation'> | undefined): string {
	if (!stop || (!stop.earliest && !stop.latest)) return '';
	const end = (moment: string | null) => (moment ? clock(moment, zone()) : '');
	return `${end(stop.earliest)}–${end(stop.latest)}`;
}

/** Where a stop is, in few words. */
export function placeOf(order: Order, type: 'pickup' | 'delivery'): string {
	const stop = stopOf(order, type);
	return [stop?.name, stop?.address?.city].filter(Boolean).join(', ');
}
