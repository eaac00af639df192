// Sends messages to the office, in their sequence. One is only forgotten once the service has it;
// the service knows it again by its identifier, so that it is never there twice.
import type { Rest } from '../outbox/outbox';
import { waitingKey, type Store } from '../outbox/store';
import { ask, isFinal, later, patience, saysWhy } from '../outbox/wire';
import { keepRead, readOf, refusedKey, type Message, type Unsent } from './kept';

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
		} else if ((isFinal(response.status) || response.status === 409) && saysWhy(body)) {
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
