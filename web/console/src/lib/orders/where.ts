// Where an order is: the answer to people who wait for it.
import { api, ask, type Schema } from '$shared/api';
import { clock, lasting, longDay, shortMoment, today } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { t } from '$shared/words.svelte';

type Row = Schema<'OrderRow'>;

/** Reads one order as a row, with its stops, times and driver. */
export async function readRow(orderId: number, signal: AbortSignal | null = null): Promise<Row> {
	return (await ask(api.GET('/v2/orders/{orderId}/summary', { params: { path: { orderId } }, signal }))).order;
}

/** The time by the clock, with the day if it is not that of the order. */
const moment = (at: string, date: string): string =>
	today(zone(), new Date(at)) === date ? clock(at, zone()) : shortMoment(at, zone());

/** Where an order is and when it comes, in one sentence or two. */
export function whereIs(row: Row): string {
	const said = [placeOf(row)];
	const { delivery } = row;
	if (delivery?.status === 'pending' && delivery.eta) {
		const late = Math.round((Date.parse(delivery.eta) - Date.parse(delivery.latest)) / 1000);
		if (late >= 60) said.push(t('where.late', { by: lasting(late) }));
	}
	return said.join(' ');
}

function placeOf({ date, driver, pickup, delivery, status }: Row): string {
	const who = driver?.name ?? t('day.somebody');
	const at = (time: string | null | undefined) => (time ? moment(time, date) : '–');
	if (status === 'cancelled') return t('where.cancelled');
	if (delivery?.status === 'completed') return t('where.delivered', { driver: who, time: at(delivery.endedAt) });
	if (delivery?.status === 'failed') return t('where.failed', { driver: who, time: at(delivery.endedAt) });
	if (pickup?.status === 'failed') return t('where.not_picked_up', { driver: who, time: at(pickup.endedAt) });
	if (delivery?.status === 'arrived') return t('where.at_door', { driver: who, time: at(delivery.arrivedAt) });
	const eta = delivery?.eta;
	if (!driver || !eta) return t('where.nobody', { day: longDay(date) });
	const day = date === today(zone()) ? '' : `${longDay(date)}, `;
	const time = `${day}${at(eta)}`;
	if (pickup?.status === 'completed') return t('where.on_board', { driver: who, time });
	if (pickup?.status === 'arrived') return t('where.at_pickup', { driver: who, time });
	return t('where.planned', { driver: who, time });
}
