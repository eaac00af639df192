// Starts a new order from earlier ones: the last addresses of a customer, or of
// whom a phone number, a name or a street belongs to.
import { api, ask, type Schema } from '$shared/api';
import { daysAfter, shortDay, today } from '$shared/moments';
import { isEnough } from '../search/orders';
import { formOf, readForEdit } from './edit';
import { noProduct, type OrderForm } from './form';

type Row = Schema<'OrderRow'>;

/** An earlier order to start from, or a customer whose orders to look at. */
export type Start =
	| { kind: 'order'; id: number; number: string; date: string; name: string; detail: string }
	| { kind: 'customer'; id: number; name: string };

const mostCustomers = 3;
const mostAddresses = 8;
/** The days that the service overviews at once, and how often it is asked. */
const span = 31;
const mostSpans = 4;
const daysAhead = 14;

/** Customers and earlier orders that a text finds, of each address the newest order. */
export async function startsFor(text: string, signal: AbortSignal): Promise<Start[]> {
	if (!isEnough(text)) return [];
	const [customers, orders] = await Promise.all([
		ask(api.GET('/v1/customers/search', { params: { query: { query: text, limit: mostCustomers } }, signal })),
		ask(api.GET('/v2/orders/find', { params: { query: { text, limit: 50 } }, signal }))
	]);
	const found = customers.items
		.filter((one) => one.is_active !== false)
		.map((one): Start => ({ kind: 'customer', id: one.customer_id, name: one.business_name }));
	return [...found, ...addressesOf(orders.items)];
}

/** The addresses that a customer's orders of the last months went to, the newest first. */
export async function startsOf(customer: number, zone: string, signal: AbortSignal): Promise<Start[]> {
	const rows: Row[] = [];
	let to = daysAfter(today(zone), daysAhead);
	for (let spans = 0; spans < mostSpans && addressesOf(rows).length < mostAddresses; spans++) {
		const from = daysAfter(to, -span);
		const body: Schema<'OrdersOverviewRequest'> = { from, to, customerIds: [customer], sort: '-date', pageSize: 200 };
		rows.push(...(await ask(api.POST('/v2/orders/overview', { body, signal }))).items);
		to = daysAfter(from, -1);
	}
	return addressesOf(rows);
}

/** One order of each customer and address, the newest. */
export function addressesOf(rows: Row[]): Start[] {
	const newest = new Map<string, Row>();
	for (const row of rows) {
		const { name, address1, postalCode } = row.delivery ?? {};
		if (!row.delivery) continue;
		const key = JSON.stringify([row.customer.id, name, address1, postalCode].map((part) => String(part ?? '').toLowerCase()));
		const known = newest.get(key);
		if (!known || row.date > known.date) newest.set(key, row);
	}
	return [...newest.values()]
		.sort((one, other) => other.date.localeCompare(one.date))
		.slice(0, mostAddresses)
		.map((row) => ({
			kind: 'order',
			id: row.orderId,
			number: row.externalIds[0] ?? row.serialCode,
			date: row.date,
			name: [row.delivery?.name, row.delivery?.address1, row.delivery?.city].filter(Boolean).join(', '),
			detail: [row.customer.name, shortDay(row.date)].filter(Boolean).join(' · ')
		}));
}

/** A form like an earlier order, without its number, day, times and goods. */
export async function formLike(id: number, form: OrderForm, zone: string): Promise<OrderForm> {
	const earlier = formOf((await readForEdit(id)).body, zone);
	const stop = ({ kept, ...others }: OrderForm['pickup']) => {
		const { earliest: _, latest: __, ...same } = kept;
		return { ...others, kept: same, earliest: '', latest: '' };
	};
	return {
		...form,
		customer: earlier.customer,
		orderType: earlier.orderType,
		vehicleType: earlier.vehicleType,
		pickup: stop(earlier.pickup),
		delivery: stop(earlier.delivery),
		products: form.products.length ? form.products : [noProduct()]
	};
}
