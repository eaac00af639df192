// Messages with the office as this phone keeps them.
import type { Schema } from '$shared/api';
import { waitingKey, type Store } from '../outbox/store';

export type Message = Schema<'DriverMessage'>;

/** A message that the service has not received yet, or does not take. */
export interface Unsent {
	id: string;
	text: string;
	at: string;
	/** The message as sent, except for the time of sending. It is immutable. */
	body: string;
	/** Why the service does not take it. */
	refused?: string;
}

/** The latest messages as they were last read. */
export interface Read {
	items: Message[];
	/** The last message that the driver has seen, which the service may not know yet. */
	seen: number;
}

export const refusedKey = (driver: number): string => `${driver}/refused-message/`;
const readKey = (driver: number): string => `${driver}/messages`;

export async function unsentOf(store: Store, driver: number): Promise<Unsent[]> {
	const names = [...(await store.names(waitingKey(driver))), ...(await store.names(refusedKey(driver)))];
	const all = await Promise.all(names.map((name) => store.kept<Unsent>(name)));
	return all.filter((one) => one !== undefined).sort((a, b) => (a.id < b.id ? -1 : 1));
}

export const readOf = async (store: Store, driver: number): Promise<Read> =>
	(await store.kept<Read>(readKey(driver))) ?? { items: [], seen: 0 };

export const keepRead = (store: Store, driver: number, read: Read): Promise<void> => store.keep(readKey(driver), read);

/** What of the office the driver has not seen. */
export const unseenOf = ({ items, seen }: Read): Message[] =>
	items.filter(({ id, from, readAt }) => from === 'OFFICE' && !readAt && id > seen);
