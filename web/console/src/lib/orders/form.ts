// A form of one order as an import accepts it: for a new order, and for
// completing a draft. Fields that the form does not show are unchanged.
import type { Schema } from '$shared/api';
import { beginningOf, clock, today } from '$shared/moments';

type ImportOrder = Schema<'ImportOrderRequest'>;
type Location = Schema<'LocationRequest'>;
type Product = Schema<'Product'>;
/** An error in an order, and its field; `reason` is for programs. */
export type Reason = Pick<Schema<'ImportReason'>, 'field' | 'message' | 'code'> & { reason?: string };

export interface StopForm {
	kept: Location;
	/** The external id of a known location. */
	externalId: string;
	name: string;
	address1: string;
	postalCode: string;
	city: string;
	country: string;
	/** When it may be visited, by the clock of the organization, as an input for date and time writes it. */
	earliest: string;
	latest: string;
	instructions: string;
	contact: { kept: Schema<'Contact'>; firstName: string; lastName: string; phoneNumber: string; emailAddress: string };
}

export interface ProductForm {
	kept: Product;
	name: string;
	quantity: string;
	weight: string;
}

export interface OrderForm {
	kept: ImportOrder;
	externalId: string;
	date: string;
	/** The last day on which it may be carried out; empty for its date only. */
	latestDate: string;
	reference: string;
	/** Ids of the choices; empty keeps the received value. */
	customer: string;
	orderType: string;
	vehicleType: string;
	pickup: StopForm;
	delivery: StopForm;
	products: ProductForm[];
}

export const noProduct = (): ProductForm => productForm({});

/** Writes an order into a form. */
export function orderForm(order: ImportOrder, zone: string): OrderForm {
	return {
		kept: order,
		externalId: order.externalId ?? '',
		date: order.date ?? '',
		latestDate: order.latestDate ?? '',
		reference: order.reference ?? '',
		customer: String(order.customer?.id ?? ''),
		orderType: String(order.orderType?.id ?? ''),
		vehicleType: String(order.vehicleType?.id ?? ''),
		pickup: stopForm(order.pickup ?? {}, zone),
		delivery: stopForm(order.delivery ?? {}, zone),
		products: (order.products ?? []).map(productForm)
	};
}

function stopForm(stop: Location, zone: string): StopForm {
	const contact = stop.contacts?.[0] ?? {};
	return {
		kept: stop,
		externalId: stop.externalId ?? '',
		name: stop.name ?? '',
		address1: stop.address?.address1 ?? '',
		postalCode: stop.address?.postalCode ?? '',
		city: stop.address?.city ?? '',
		country: stop.address?.country ?? '',
		earliest: localOf(stop.earliest, zone),
		latest: localOf(stop.latest, zone),
		instructions: stop.instructions ?? '',
		contact: {
			kept: contact,
			firstName: contact.firstName ?? '',
			lastName: contact.lastName ?? '',
			phoneNumber: contact.phoneNumber ?? '',
			emailAddress: contact.emailAddress ?? ''
		}
	};
}

const productForm = (product: Product): ProductForm => ({
	kept: product,
	name: product.name ?? '',
	quantity: String(product.quantity ?? 1),
	weight: String(product.weight ?? '')
});

/** The content of a form, as an import accepts it. */
export function orderOf(form: OrderForm, zone: string): ImportOrder {
	const chosen = (id: string, kept: object | null | undefined) => (id ? { id: Number(id) } : (kept ?? undefined));
	return sent({
		...form.kept,
		externalId: form.externalId,
		date: form.date,
		latestDate: form.latestDate,
		reference: form.reference,
		customer: chosen(form.customer, form.kept.customer),
		orderType: chosen(form.orderType, form.kept.orderType),
		vehicleType: chosen(form.vehicleType, form.kept.vehicleType),
		pickup: stopOf(form.pickup, zone),
		delivery: stopOf(form.delivery, zone),
		products: form.products.map(productOf)
	});
}

function stopOf({ kept, contact, ...form }: StopForm, zone: string): Location | undefined {
	const { kept: keptContact, ...person } = contact;
	const address = sent({ ...kept.address, address1: form.address1, postalCode: form.postalCode, city: form.city, country: form.country });
	const first = sent({ ...keptContact, ...person });
	const others = kept.contacts?.slice(1) ?? [];
	const stop = sent({
		...kept,
		externalId: form.externalId,
		name: form.name,
		address: isEmpty(address) ? undefined : address,
		earliest: form.earliest === localOf(kept.earliest, zone) ? kept.earliest : momentOf(form.earliest, zone),
		latest: form.latest === localOf(kept.latest, zone) ? kept.latest : momentOf(form.latest, zone),
		instructions: form.instructions,
		contacts: isEmpty(first) && !others.length ? undefined : [first, ...others]
	});
	return isEmpty(stop) ? undefined : stop;
}

const productOf = ({ kept, ...form }: ProductForm): Product =>
	sent({ ...kept, name: form.name, quantity: numberOf(form.quantity), weight: numberOf(form.weight) });

export const numberOf = (text: string) => (text.trim() === '' ? undefined : Number(text.replace(',', '.')));
const isEmpty = (thing: object) => Object.keys(thing).length === 0;

/** Without empty values. */
const sent = <Thing extends object>(thing: Thing): Thing =>
	Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== '' && value !== undefined && value !== null)) as Thing;

/** 2026-12-07T10:40 on the clock of a zone; empty for an invalid time. */
export function localOf(moment: string | null | undefined, zone: string): string {
	const date = new Date(moment ?? '');
	if (Number.isNaN(date.getTime())) return '';
	return `${today(zone, date)}T${clock(date.toISOString(), zone).replace('.', ':')}`;
}

/** The moment at which the clock of a zone shows a time; empty without one. */
export function momentOf(local: string, zone: string): string {
	if (!local) return '';
	const [day = '', time = ''] = local.split('T');
	const [hours = 0, minutes = 0] = time.split(':').map(Number);
	// With the zone's offset at that time, which differs from midnight's on a
	// day with a clock change.
	const guess = beginningOf(day, zone) + (hours * 60 + minutes) * 60_000;
	const shown = localOf(new Date(guess).toISOString(), zone);
	const off = Date.parse(`${local}Z`) - Date.parse(`${shown}Z`);
	return new Date(guess + off).toISOString();
}
