// The driver's messages with the office. It is loaded after the screen.
import { api, ask, asProblem, Problem } from '$shared/api';
import { isLive, refreshOnHint, type Concerns } from '$shared/live.svelte';
import { t } from '$shared/words.svelte';
import { alarm } from '../beep';
import { uuid } from '../outbox/action';
import { waitingKey } from '../outbox/store';
import { phone } from '../phone.svelte';
import { keepRead, readOf, refusedKey, unseenOf, unsentOf, type Message, type Unsent } from './kept';

const pageSize = 100;
/** How often messages are read where the service does not say that there are others. */
const readEvery = 60_000;
/** Where it says so, they are read that often all the same. */
const readEveryLive = 5 * 60_000;

class Chat {
	items = $state.raw<Message[]>([]);
	/** What waits, or was refused, oldest first. */
	unsent = $state.raw<Unsent[]>([]);
	/** What of the office the driver has not seen. */
	unseen = $state.raw<Message[]>([]);
	problem = $state.raw<Problem>();
	#rung = new Set<number>();
	#busy?: Promise<void>;
	#lastRead = 0;

	/** Shows what the phone keeps. */
	async look(): Promise<void> {
		const driver = phone.who?.driver;
		if (driver === undefined) {
			[this.items, this.unsent, this.unseen] = [[], [], []];
			return;
		}
		const [read, unsent] = await phone.stored((store) => Promise.all([readOf(store, driver), unsentOf(store, driver)]));
		[this.items, this.unsent, this.unseen] = [read.items, unsent, unseenOf(read)];
	}

	/** Reads the messages now and when there are others. Returns how to stop. */
	follow(): () => void {
		void this.read();
		const concerns: Concerns = (hint) => !hint || hint.kind.startsWith('driver.message');
		const stop = refreshOnHint(concerns, () => this.read(), { wait: 200, every: 1000 });
		const again = setInterval(() => {
			const isDue = !isLive() || Date.now() - this.#lastRead >= readEveryLive;
			if (isDue && !document.hidden) void this.read();
		}, readEvery);
		return () => {
			clearInterval(again);
			stop();
		};
	}

	/** Reads the messages, and says which of them the driver has seen. */
	read(): Promise<void> {
		return (this.#busy ??= this.#read().finally(() => (this.#busy = undefined)));
	}

	async #read(): Promise<void> {
		const driver = phone.who?.driver;
		if (driver === undefined) return;
		this.#lastRead = Date.now();
		try {
			const { items } = await ask(api.GET('/v1/driver/messages', { params: { query: { pageSize } } }));
			if (phone.who?.driver !== driver || items.some((one) => one.driverId !== driver)) return;
			const { seen } = await phone.stored((store) => readOf(store, driver));
			await phone.stored((store) => keepRead(store, driver, { items, seen }));
			this.problem = undefined;
			await this.look();
			this.#ring();
			await this.#say(seen);
		} catch (error) {
			this.problem = asProblem(error);
			await this.look();
		}
	}

	/** Rings once for each message that the driver has not seen. */
	#ring(): void {
		const fresh = this.unseen.filter(({ id }) => !this.#rung.has(id));
		for (const { id } of fresh) this.#rung.add(id);
		if (fresh.length) alarm();
	}

	/** Tells the service what the driver has seen, if it does not know. */
	async #say(upTo: number): Promise<void> {
		if (this.items.some(({ id, from, readAt }) => from === 'OFFICE' && !readAt && id <= upTo))
			await ask(api.POST('/v1/driver/messages/read', { body: { upTo } }));
	}

	/** The driver has seen everything. Without a connection, the service hears of it later. */
	async see(): Promise<void> {
		const driver = phone.who?.driver;
		const upTo = Math.max(0, ...this.unseen.map(({ id }) => id));
		if (driver === undefined || !upTo) return;
		const read = await phone.stored((store) => readOf(store, driver));
		await phone.stored((store) => keepRead(store, driver, { ...read, seen: Math.max(read.seen, upTo) }));
		await this.look();
		await this.#say(upTo).catch(() => {}); // the next reading says it again
	}

	/** Keeps a message, and sends it when possible. */
	async write(text: string): Promise<void> {
		const driver = phone.who?.driver;
		const date = phone.today?.date;
		if (driver === undefined || !date) throw new Problem(401, '');
		const now = new Date();
		const [id, at] = [uuid(now.getTime()), now.toISOString()];
		const message: Unsent = { id, text, at, body: JSON.stringify({ id, date, text, occurredAt: at }) };
		try {
			await phone.stored((store) => store.keep(waitingKey(driver) + id, message));
		} catch (error) {
			throw error instanceof DOMException && error.name === 'QuotaExceededError' ? new Problem(-1, t('phone.full')) : error;
		}
		await this.look();
		await phone.sendMessages();
	}

	/** Forgets a message that the service does not take. */
	async drop(id: string): Promise<void> {
		const driver = phone.who?.driver;
		if (driver !== undefined) await phone.stored((store) => store.keep(refusedKey(driver) + id, undefined));
		await this.look();
	}
}

export const chat = new Chat();
