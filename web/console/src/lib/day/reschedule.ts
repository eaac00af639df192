// Orders on another day: their date, and the windows that came with them, at the same times of the clock.
import { api, ask, askTagged, type Schema } from '$shared/api';
import { clock, daysAfter, momentOf, today } from '$shared/moments';
import { zone } from '$shared/session.svelte';

type Change = Schema<'OrderByHand'>;
type Order = Schema<'Order'>;

const dayOf = (moment: string, zone: string): string => today(zone, new Date(moment));
const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** The same time of the clock some days later. */
export const later = (moment: string, days: number, zone: string): string =>
	momentOf(`${daysAfter(dayOf(moment, zone), days)}T${clock(moment, zone)}`, zone);

/** What puts an order on a day. Windows from opening hours follow by themselves. */
export function changeTo(order: Order, date: string, zone: string): Change {
	const days = daysBetween(order.date, date);
	const change: Change = { date };
	if (order.latest_date && order.latest_date < date) change.latest_date = '';
	for (const stop of order.order_locations ?? []) {
		if (stop.window_source !== 'request' || !stop.earliest || !stop.latest) continue;
		change[stop.type] = { earliest: later(stop.earliest, days, zone), latest: later(stop.latest, days, zone) };
	}
	return change;
}

/** Puts an order on a day, unless somebody changes it meanwhile. Returns how that is undone. */
export async function reschedule(orderId: number, date: string): Promise<() => Promise<unknown>> {
	const path = { orderId };
	const { body, tag } = await askTagged(api.GET('/v1/orders/{orderId}', { params: { path, query: { loads: ['OrderLocations'] } } }));
	const put = (change: Change, header?: { 'If-Match': string }) =>
		ask(api.PUT('/v1/orders/{orderId}', { params: { path, ...(header && { header }) }, body: change }));
	await put(changeTo(body, date, zone()), { 'If-Match': tag });
	const back = changeTo(body, body.date, zone());
	return () => put({ ...back, ...(body.latest_date && { latest_date: body.latest_date }) });
}
