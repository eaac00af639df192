// An existing order in the form of a new one; and its changes, as the contract
// accepts them.
import { api, ask, askTagged, type FieldFailure, type Schema, type Tagged } from '$shared/api';
import { orderForm, orderOf, type OrderForm, type Reason } from './form';
import type { Order } from './list';

type ImportOrder = Schema<'ImportOrderRequest'>;
type Location = Schema<'LocationRequest'>;
type Change = Schema<'OrderByHand'>;

const relations: Schema<'OrderRelation'>[] = [
	'OrderLocations.Location',
	'OrderLocations.Address',
	'OrderLocations.OrderLocationContacts',
	'OrderProducts',
	'OrderProducts.OrderProductSkills',
	'ErpOrders'
];

/** Reads an order with its form's fields, and its tag, which detects later changes by others. */
export const readForEdit = (id: number): Promise<Tagged<Order>> =>
	askTagged(api.GET('/v1/orders/{orderId}', { params: { path: { orderId: id }, query: { loads: relations } } }));

/** Without nulls, which forms do not have. */
const given = <Thing extends object>(thing: Thing): { [Key in keyof Thing]?: NonNullable<Thing[Key]> } =>
	Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== null && value !== undefined)) as never;

function stopIn(order: Order, type: 'pickup' | 'delivery'): Location {
	const stop = order.order_locations?.find((one) => one.type === type);
	if (!stop) return {};
	const { address, order_location_contacts: contacts } = stop;
	const byHand = stop.window_source === 'request';
	return given({
		name: stop.name,
		externalId: stop.location?.external_id,
		address: address && {
			...given({ address1: address.address1, address2: address.address2, city: address.city, state: address.state }),
			...given({ postalCode: address.postal_code, country: address.country, latitude: address.latitude, longitude: address.longitude })
		},
		earliest: byHand ? stop.earliest : null,
		latest: byHand ? stop.latest : null,
		instructions: stop.instructions,
		contacts: contacts?.map((one) =>
			given({ firstName: one.first_name, lastName: one.last_name, phoneNumber: one.phone_number, emailAddress: one.email_address })
		)
	});
}

function productsIn(order: Order): Schema<'Product'>[] {
	const all = order.order_products ?? [];
	const parentOf = (id: number | null) => all.find((one) => one.id === id)?.external_id;
	return all.map((one) => ({
		...given({ name: one.name, quantity: one.quantity, weight: one.weight, length: one.length, width: one.width, height: one.height }),
		...given({ barcodeId: one.barcode_id, externalId: one.external_id, atomType: one.atom_type }),
		...given({ externalInstanceNumber: one.instance_number, parentExternalId: parentOf(one.parent_id) }),
		...given({ loadAmounts: one.load_amounts }),
		...(one.order_product_skills?.length && { skills: one.order_product_skills.map(({ id, type }) => ({ id, type })) })
	}));
}

/** Whether the form can express the tree of goods, which requires their external ids. */
export function canSayGoods({ order_products: all = [] }: Order): boolean {
	return all.every((one) => one.parent_id === null || all.some((holder) => holder.id === one.parent_id && holder.external_id));
}

/** The form of an existing order. */
export function formOf(order: Order, zone: string): OrderForm {
	return orderForm(
		{
			externalId: order.internal_order_number,
			date: order.date,
			...given({ reference: order.reference, latestDate: order.latest_date }),
			customer: { id: order.customer_id },
			orderType: { id: order.order_type_id },
			vehicleType: { id: order.vehicle_type_id },
			pickup: stopIn(order, 'pickup'),
			delivery: stopIn(order, 'delivery'),
			products: productsIn(order)
		},
		zone
	);
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The names of the members of legacy orders. */
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (path: string) => path.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function snaked(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(snaked);
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snake(name), snaked(inner)]));
}

/** The changes of a stop. Its location and its times are each replaced as a whole. */
function stopChange(was: Location = {}, now: Location = {}): object | undefined {
	const change: Location & Record<string, unknown> = {};
	const elsewhere = !same(was.address, now.address);
	if (elsewhere || !same(was.externalId, now.externalId)) {
		// Another known location implies its own name and address, unless these
		// are given as well.
		if (now.externalId) change.externalId = now.externalId;
		if (now.address && (elsewhere || !now.externalId)) change.address = elsewhere ? withoutPoint(now.address) : now.address;
		if (now.name && (elsewhere || !now.externalId)) change.name = now.name;
	}
	if (!same(was.name, now.name)) change.name = now.name ?? '';
	if (!same(was.earliest, now.earliest) || !same(was.latest, now.latest)) {
		Object.assign(change, { earliest: now.earliest ?? null, latest: now.latest ?? null });
	}
	if (!same(was.instructions, now.instructions)) change['instructions'] = now.instructions ?? '';
	if (!same(was.contacts, now.contacts)) change.contacts = now.contacts ?? [];
	return Object.keys(change).length ? change : undefined;
}

/** A changed street invalidates the known position. */
function withoutPoint(address: NonNullable<Location['address']>): NonNullable<Location['address']> {
	return Object.fromEntries(Object.entries(address).filter(([name]) => name !== 'latitude' && name !== 'longitude'));
}

/** The changes that a form makes to its original order. */
export function changeOf(before: ImportOrder, after: ImportOrder): Change {
	const change: Record<string, unknown> = {};
	for (const name of ['date', 'customer', 'orderType', 'vehicleType'] as const) {
		if (!same(before[name], after[name])) change[name] = after[name] ?? null;
	}
	for (const name of ['reference', 'latestDate'] as const) {
		if (!same(before[name], after[name])) change[name] = after[name] ?? '';
	}
	for (const stop of ['pickup', 'delivery'] as const) {
		const changed = stopChange(before[stop], after[stop]);
		if (changed) change[stop] = changed;
	}
	if (!same(before.products, after.products)) change['products'] = after.products ?? [];
	return snaked(change) as Change;
}

/** The changes that a form would make now, compared with its earlier state. */
export const changes = (before: OrderForm, now: OrderForm, zone: string): Change =>
	changeOf(orderOf(before, zone), orderOf(now, zone));

/** Creates an order from a form, without ever changing an existing one; or saves a draft. */
export function makeOrder(form: OrderForm, zone: string, asDraft: boolean, header: { 'Idempotency-Key': string }): Promise<Schema<'Order'> | Schema<'OrderKeptAsDraft'>> {
	const order = orderOf(form, zone);
	const body: Change = { ...changeOf({}, order), ...(order.externalId && { internal_order_number: order.externalId }) };
	return ask(api.POST('/v1/orders', { params: { query: { as_draft: asDraft }, header }, body }));
}

/** Saves the changes, unless another user has changed the order in the meantime. */
export const saveChange = (id: number, body: Change, tag: string): Promise<unknown> =>
	ask(api.PUT('/v1/orders/{orderId}', { params: { path: { orderId: id }, header: { 'If-Match': tag } }, body }));

/** The errors of a rejection, by the form's fields. */
export const reasonsOf = (fields: FieldFailure[]): Reason[] =>
	fields.map(({ field, text, reason }) => ({ field: camel(field), message: text, reason, code: 'UNKNOWN_INVALID_INPUT_CODE' }));
