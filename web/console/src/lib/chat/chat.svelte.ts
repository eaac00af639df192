// Messages between the office and the drivers of a day.
import { api, ask, type Schema } from '$shared/api';
import { Once } from '../once';

export type Message = Schema<'DriverMessage'>;
export type Messages = Schema<'MessagesOfDay'>;

/** How many characters a message may have. */
export const longest = 500;

/** How many drivers may get a message at once, or about how many orders. */
export const mostReceivers = 100;

const pageSize = 50;

/** Reads messages of a day, the newest first: of all drivers, or of one. */
export const readMessages = (date: string, driverId?: number, token = '', signal?: AbortSignal): Promise<Messages> =>
	ask(api.GET('/v2/plans/{date}/messages', { params: { path: { date }, query: { driverId, token, pageSize } }, signal }));

/** Notes that the office has read what a driver wrote, up to a message. */
export const markRead = (date: string, driverId: number, upTo: number): Promise<unknown> =>
	ask(api.POST('/v2/plans/{date}/messages/read', { params: { path: { date } }, body: { driverId, upTo } }));

/** A message on its way, which is sent once however often it is tried. */
export class Sending {
	#once = new Once();

	async send(date: string, to: { driverIds: number[] } | { orderIds: number[] }, text: string): Promise<Message[]> {
		const body = { ...to, text };
		const header = this.#once.header({ date, ...body });
		const { items } = await ask(api.POST('/v2/plans/{date}/messages', { params: { path: { date }, header }, body }));
		this.#once.done();
		return items;
	}
}

let unread = $state.raw(new Map<number, number>());

/** How many messages of a driver of the shown day nobody in the office has read. */
export const unreadOf = (driverId: number): number => unread.get(driverId) ?? 0;

/** Notes what is unread on the shown day. */
export function noteUnread(all: Messages['unread']): void {
	unread = new Map(all.map(({ driverId, count }) => [driverId, count]));
}
