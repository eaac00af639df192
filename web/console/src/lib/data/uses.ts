// What refers to a record of master data: other records, templates, and
// intervals and orders of the next days.
import { api, ask, type Schema } from '$shared/api';
import type { Field } from '$shared/forms';
import { shapes, type CollectionName } from '$shared/forms.gen';
import { daysAfter, today } from '$shared/moments';
import { may, zone } from '$shared/session.svelte';
import { readPage } from '../forms/named.svelte';
import type { Thing } from './records';

/** How many of a collection, or of the orders, name something. */
export interface Use {
	of: CollectionName | 'orders' | 'templates' | 'intervals';
	count: number;
	/** There may be more than were looked at. */
	more: boolean;
}

const perPage = 200;
const mostPages = 5;
const active: Schema<'OrderStatusId'>[] = [1, 2, 3, 4, 5];
const days = 30;

/** Whether a field, or one within it, names one of a collection. */
const names = (field: Field, collection: CollectionName): boolean =>
	field.of === collection || (field.fields ?? []).some((inner) => names(inner, collection));

function isNamed(fields: Field[], thing: Thing, collection: CollectionName, id: number, name: string): boolean {
	return fields.some((field) => {
		const value = thing[field.name] ?? (field.name.endsWith('_id') ? thing[field.name.slice(0, -3)] : undefined);
		if (value === null || value === undefined) return false;
		if (field.fields) {
			const within = Array.isArray(value) ? value : [value];
			return within.some((one) => isNamed(field.fields!, one as Thing, collection, id, name));
		}
		if (field.of !== collection) return false;
		return (Array.isArray(value) ? value : [value]).some((one) => one === id || one === name || (one as Thing)?.['id'] === id);
	});
}

async function among(where: CollectionName, collection: CollectionName, id: number, name: string): Promise<Use> {
	const { fields, pages } = shapes[where];
	let count = 0;
	let more = false;
	for (let page = 1; page <= mostPages; page++) {
		const got = await readPage(where, pages ? { page, limit: perPage } : {});
		const rows = got.items ?? got.definitions ?? [];
		count += rows.filter((row) => row['is_active'] !== false && isNamed(fields, row, collection, id, name)).length;
		more = page < (got.pages ?? 1);
		if (!more) break;
	}
	return { of: where, count, more };
}

/** Future open orders can be searched by some of their references. */
async function amongOrders(collection: CollectionName, id: number): Promise<Use | undefined> {
	const by: Partial<Record<CollectionName, Partial<Schema<'OrdersOverviewRequest'>>>> = {
		customers: { customerIds: [id] },
		departments: { departmentIds: [id] },
		drivers: { driverIds: [id] }
	};
	if (by[collection]) {
		const from = today(zone());
		const body: Schema<'OrdersOverviewRequest'> = {
			from, to: daysAfter(from, days), statusIds: active, pageSize: perPage, ...by[collection]
		};
		const page = await ask(api.POST('/v2/orders/overview', { body }));
		return { of: 'orders', count: page.items.length, more: page.hasMore };
	}
	const which = { 'order-types': 'order_type_ids', groups: 'group_ids' }[collection as string];
	if (!which) return undefined;
	const from = today(zone());
	const body = { order_status_ids: active, start_date: from, end_date: daysAfter(from, days), limit: 1, [which]: [id] } as Schema<'PaginatedOrdersRequest'>;
	return { of: 'orders', count: (await ask(api.POST('/v1/orders/paginated', { body }))).total, more: false };
}

/** Templates that generate orders, each of which may refer to a customer, types and places. */
async function amongTemplates(collection: CollectionName, id: number): Promise<Use | undefined> {
	const by: Partial<Record<CollectionName, (keyof Schema<'RecurringOrder'>)[]>> = {
		customers: ['customerId'],
		'order-types': ['orderTypeId'],
		'vehicle-types': ['vehicleTypeId'],
		locations: ['pickupLocationId', 'deliveryLocationId']
	};
	const named = by[collection];
	if (!named) return undefined;
	const limit = 1000;
	const page = await ask(api.GET('/v1/recurring_orders', { params: { query: { isActive: true, limit } } }));
	const count = page.recurringOrders.filter((template) => named.some((field) => template[field] === id)).length;
	return { of: 'templates', count, more: page.total > page.recurringOrders.length };
}

/** Bookable intervals, each for some types, zones and levels. */
async function amongIntervals(collection: CollectionName, id: number): Promise<Use | undefined> {
	const by: Partial<Record<CollectionName, (one: Schema<'ScheduleInterval'>) => { id: number }[]>> = {
		'order-types': (one) => one.orderTypes,
		'freight-levels': (one) => one.freightLevels,
		zones: (one) => one.fromToZones.flatMap(({ from, to }) => [from, to])
	};
	const named = by[collection];
	if (!named) return undefined;
	const from = today(zone());
	const query = { from, to: daysAfter(from, days) };
	const { intervals } = await ask(api.GET('/v2/route-scheduling/intervals', { params: { query } }));
	return { of: 'intervals', count: intervals.filter((one) => named(one).some((it) => it.id === id)).length, more: false };
}

/** The uses of a record, without zeros. */
export async function usesOf(collection: CollectionName, id: number, name: string): Promise<Use[]> {
	const where = (Object.keys(shapes) as CollectionName[]).filter(
		(one) => may(...shapes[one].readers) && shapes[one].fields.some((field) => names(field, collection))
	);
	const found = await Promise.all([
		...where.map((one) => among(one, collection, id, name)),
		amongTemplates(collection, id),
		amongIntervals(collection, id),
		amongOrders(collection, id)
	]);
	return found.filter((use): use is Use => use !== undefined && use.count > 0);
}
