// Sends messages to the office, in their sequence. One is only forgotten once the service has it;
// the service knows it again by its identifier, so that it is never there twice.
import type { Rest } from '../outbox/outbox';
import type { Store } from '../outbox/store';
import { ask, later, patience, saysWhy } from '../outbox/wire';
import { keepRead, readOf, refusedKey, waitingKey, type Message, type Unsent } from './kept';

/** Statuses of responses for which a retry is useless. */
const isFinal = (status: number): boolean => [400, 404, 409, 413, 415, 422].includes(status);

/** Sends what waits until nothing is left or the service is unavailable. */
export async function sendMessages(store: Store, driver: number, language: string, changed: () => void): Promise<Rest> {
	for (const name of await store.names(waitingKey(driver))) {
		const message = await store.kept<Unsent>(name);
		if (!message) continue;
		const response = await ask('/v1/driver/messages', patience, {
			method: 'POST',
			headers: { 'Accept-Language': language, 'Content-Type': 'application/json' },
			body: `${message.body.slice(0, -1)},"sentAt":${JSON.stringify(new Date().toISOString())}}`
		});
		if (!response) return { failure: 'network' };
		const body: unknown = await response.json().catch(() => undefined);
		if (response.status === 200 && isMessage(body, message.id)) {
			const read = await readOf(store, driver);
			await keepRead(store, driver, { ...read, items: [body, ...read.items.filter(({ id }) => id !== body.id)] });
		} else if (isFinal(response.status) && saysWhy(body)) {
			await store.keep(refusedKey(driver) + message.id, { ...message, refused: body.message });
		} else {
			return later(response);
		}
		await store.keep(name, undefined);
		changed();
	}
	return {};
}

/** Reports whether the service itself answers, and not something on the way to it. */
const isMessage = (body: unknown, id: string): body is Message =>
	typeof body === 'object' && body !== null && (body as Partial<Message>).clientId === id;
