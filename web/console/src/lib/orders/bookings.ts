// Seats in intervals, of orders and of drafts that are to become orders.
import { api, ask, Problem, type Schema } from '$shared/api';

export type Interval = Schema<'ScheduleInterval'>;
export type Booked = Schema<'DetailedBooking'>;

/** What gets a seat. */
export type Subject = { orderId: number } | { orderDraftId: number };

/** The seat that an order or draft has, if any. */
export async function readBooking(subject: Subject): Promise<Booked | undefined> {
	try {
		return await ask(
			'orderId' in subject
				? api.GET('/v2/orders/{orderId}/booking', { params: { path: subject } })
				: api.GET('/v2/drafts/{orderDraftId}/booking', { params: { path: subject } })
		);
	} catch (error) {
		if (error instanceof Problem && error.status === 404) return undefined;
		throw error;
	}
}

/** The intervals of some days, each with why it does not fit. */
export const intervalsFor = async (subject: Subject, from: string, to: string): Promise<Interval[]> =>
	(await ask(api.GET('/v2/route-scheduling/intervals', { params: { query: { from, to, ...subject } } }))).intervals;

/** Takes a seat of an interval. */
export const book = (subject: Subject, intervalId: number): Promise<unknown> =>
	'orderId' in subject
		? ask(api.POST('/v2/orders/{orderId}/book-on-interval', { params: { path: subject }, body: { intervalId } }))
		: ask(api.POST('/v2/drafts/{orderDraftId}/book-on-interval', { params: { path: subject }, body: { intervalId } }));

/** Releases the seat. */
export const cancelBooking = (subject: Subject): Promise<unknown> =>
	'orderId' in subject
		? ask(api.POST('/v2/orders/{orderId}/cancel-booking', { params: { path: subject }, body: {} }))
		: ask(api.POST('/v2/drafts/{orderDraftId}/cancel-booking', { params: { path: subject }, body: {} }));
