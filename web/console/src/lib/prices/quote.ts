// The price of a transport, and why: of a hypothetical one, or of an order.
import { api, ask, type Schema } from '$shared/api';

export type Quote = Schema<'PriceQuote'>;
export type Zone = Schema<'NamedRecord'>;

/** A line of goods; each field is a text, and may be empty. */
export interface Goods {
	quantity: string;
	weight: string;
	length: string;
	width: string;
	height: string;
}

export interface Transport {
	type: string;
	fromCountry: string;
	fromCode: string;
	toCountry: string;
	toCode: string;
	goods: Goods[];
}

const measures = ['quantity', 'weight', 'length', 'width', 'height'] as const;
export const nothing = (): Goods => ({ quantity: '1', weight: '', length: '', width: '', height: '' });

/** A transport in URL parameters, and back. */
export const written = (one: Transport): Record<string, string> => ({
	type: one.type,
	from: `${one.fromCountry} ${one.fromCode}`.trim(),
	to: `${one.toCountry} ${one.toCode}`.trim(),
	goods: one.goods.map((line) => measures.map((name) => line[name]).join('x')).join(' ')
});

export function said(type: string, from: string, to: string, goods: string): Transport {
	const place = (text: string): [string, string] => [text.split(' ')[0] ?? '', text.split(' ').slice(1).join(' ')];
	const lines = goods.split(' ').filter(Boolean).map((text) => {
		const values = text.split('x');
		return Object.fromEntries(measures.map((name, index) => [name, values[index] ?? ''])) as unknown as Goods;
	});
	const [fromCountry, fromCode] = place(from || 'NO');
	const [toCountry, toCode] = place(to || 'NO');
	return { type, fromCountry, fromCode, toCountry, toCode, goods: lines.length ? lines : [nothing()] };
}

const placeOf = (country: string, postalCode: string) => ({
	country: country.trim().toUpperCase(),
	...(postalCode.trim() && { postalCode: postalCode.trim() })
});

export function quote(one: Transport): Promise<Quote> {
	const products = one.goods.map((line) =>
		Object.fromEntries(measures.filter((name) => line[name].trim()).map((name) => [name, Number(line[name])]))
	);
	const body = {
		orderType: { id: Number(one.type) },
		pickup: placeOf(one.fromCountry, one.fromCode),
		delivery: placeOf(one.toCountry, one.toCode),
		products
	};
	return ask(api.POST('/v2/pricing/quote', { body }));
}

/** The zones of a place, which explain why there is no price. */
export const zonesOf = async (country: string, postalCode: string): Promise<Zone[]> =>
	(await ask(api.GET('/v2/zones/lookup', { params: { query: placeOf(country, postalCode) } }))).zones;

type Product = Schema<'OrderProduct'>;

/**
 * An order's goods as a price sees them: the top-level products, weighed by their contents if they
 * have no weight.
 */
function goodsOf(products: Product[]): Goods[] {
	const weightOf = (one: Product): number => one.weight ?? products
		.filter((inner) => inner.parent_id === one.id)
		.reduce((sum, inner) => sum + weightOf(inner) * (inner.quantity ?? 1), 0) / (one.quantity || 1);
	const text = (value: number | null | undefined) => (value ? String(value) : '');
	return products.filter((one) => !one.parent_id).map((one) => ({
		quantity: text(one.quantity), weight: text(weightOf(one)), length: text(one.length), width: text(one.width), height: text(one.height)
	}));
}

/** The transport of the order that has a number. */
export async function transportOf(number: string): Promise<Transport> {
	const path = { internalOrderNumber: number };
	const { order_id: orderId } = await ask(api.GET('/v1/orders/internal/{internalOrderNumber}', { params: { path } }));
	const loads: Schema<'OrderRelation'>[] = ['OrderLocations.Address', 'OrderProducts'];
	const order = await ask(api.GET('/v1/orders/{orderId}', { params: { path: { orderId }, query: { loads } } }));
	const address = (type: 'pickup' | 'delivery') => order.order_locations?.find((stop) => stop.type === type)?.address;
	return {
		type: String(order.order_type_id),
		fromCountry: address('pickup')?.country ?? '', fromCode: address('pickup')?.postal_code ?? '',
		toCountry: address('delivery')?.country ?? '', toCode: address('delivery')?.postal_code ?? '',
		goods: goodsOf(order.order_products ?? [])
	};
}
