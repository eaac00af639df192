// Orders that a text finds, each in one line.
import { api, ask, type Schema } from '$shared/api';
import { clock, shortDay, today } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { nameOf } from '$shared/words.svelte';
import { orderLink } from '../links';

type Row = Schema<'OrderRow'>;

export interface FoundOrder {
	id: number;
	name: string;
	detail: string;
	href: string;
}

export interface FoundOrders {
	orders: FoundOrder[];
	/** The text, if goods have it as their barcode. */
	barcode: string | null;
}

/** How many letters and digits a text needs to find anything. */
const least = 3;
export const isEnough = (text: string): boolean => (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= least;

/**
 * Such as Oda Larsen, Kirkeveien 4 · 10:42 Grete Nilsen · Planned; with its day if that is not
 * today.
 */
function detailOf({ date, delivery, driver, status }: Row): string {
	const where = [delivery?.name, delivery?.address1].filter(Boolean).join(', ');
	const when = [date !== today(zone()) && shortDay(date), delivery?.eta && clock(delivery.eta, zone()), driver?.name];
	return [where, when.filter(Boolean).join(' '), nameOf('status', status)].filter(Boolean).join(' · ');
}

/** The matching number of an order that has several. */
function numberOf({ externalIds }: Row, text: string): string {
	const plain = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	return externalIds.find((number) => plain(number).includes(plain(text))) ?? externalIds[0] ?? '';
}

/** Finds orders by any part of what people know about them. */
export async function findOrders(text: string, limit: number, signal?: AbortSignal): Promise<FoundOrders> {
	if (!isEnough(text)) return { orders: [], barcode: null };
	const found = await ask(api.GET('/v2/orders/find', { params: { query: { text, limit } }, ...(signal && { signal }) }));
	return {
		orders: found.items.map((row) => ({ id: row.orderId, name: numberOf(row, text), detail: detailOf(row), href: orderLink(row.orderId) })),
		barcode: found.barcode
	};
}
