// The phone: its driver, the route, and the unsent actions.
import { api, ask, asProblem, Problem, type Schema } from '$shared/api';
import { today as dayIn, daysAfter } from '$shared/moments';
import { language, t } from '$shared/words.svelte';
import { dayShown, said as saidDay, skewOf, type SaidDay } from './day/current';
import type { Change } from './day/changes';
import { goneBy, visitsOf, isOver, leadsTo, type Stop } from './day/visits';
import { written, type Said } from './outbox/action';
import { lockOf, Outbox, type Lock, type Rest } from './outbox/outbox';
import { wireLater } from './outbox/wire-later';
import { Store, waitingKey, type Added, type Answered, type Failure, type KeptRoute, type Picture, type Waiting } from './outbox/store';
import { place } from './place.svelte';
import { chooseLanguage, ownLanguage } from './settings.svelte';
import type { AppHeader } from './update.svelte';

/** The driver of the phone. */
export interface Who {
	driver: number;
	name: string;
	zone: string;
	/** The organization's slug. */
	organization: string;
	/** The name of the driver, if the phone has it. */
	called?: string;
}

/** Goods that were picked up today, by their orders, whatever becomes of those. */
type Aboard = Record<number, { number: string; goods: Stop['products'] }>;

const whoKey = 'who';
/** While this is stored, it is unknown whose session the phone has. */
const connectingKey = 'connecting';

/** The service's answer for the day, by driver. */
const dayKey = 'day';
const refusedKey = 'refused';
const aboardKey = 'aboard';

const shortest = 1000;
const longest = 60_000;
const readEvery = 60_000;
/** Where the service says when something changes, the route is read that often all the same. */
const readEveryLive = 5 * 60_000;
/** How long the route is not read after actions were sent, as the service is about to say that it changed. */
const readAfterSending = 3000;
const nextDayEvery = 10 * 60_000;

class Phone {
	/** Whether the stored data has been read. */
	ready = $state(false);
	/** Why nothing can be stored on this phone. */
	broken = $state<Problem>();
	who = $state.raw<Who>();
	today = $state.raw<KeptRoute>();
	tomorrow = $state.raw<KeptRoute>();
	waiting = $state.raw<Waiting[]>([]);
	answers = $state.raw<Answered[]>([]);
	/** How many pictures are still to be brought. */
	pictures = $state(0);
	/** How many messages to the office are still to be sent. */
	messages = $state(0);
	/** Why the service could not be reached last, if it could not. */
	failure = $state<Failure>();
	sending = $state(false);
	aboard = $state.raw<Aboard>({});
	/** The office's changes to the route since the driver saw it. */
	changes = $state.raw<Change[]>([]);
	now = $state(new Date());
	/** How many milliseconds the phone's clock is behind the service's. */
	skew = $state(0);

	readonly visits = $derived(this.today ? visitsOf(this.today, this.answers, this.waiting) : []);
	/** The unread explanations of actions without effect. */
	readonly unread = $derived(this.answers.filter((answer) => !answer.seen));
	readonly next = $derived(this.visits.find((visit) => !isOver(visit.status)));
	/** Orders that are no longer on the route, whose goods the driver has picked up and not delivered. */
	readonly strays = $derived(
		Object.entries(this.aboard).filter(
			([order, { number }]) =>
				!this.today?.route.stops.some((stop) => stop.orderId === Number(order)) &&
				![...this.waiting, ...this.answers].some((one) => one.type === 'DELIVER' && !one.nothing && one.number === number)
		)
	);
	readonly begun = $derived(Boolean(this.today?.route.startedAt) || this.did('START_ROUTE'));
	readonly ended = $derived(Boolean(this.today?.route.endedAt) || this.did('END_ROUTE'));

	/** Does something with what is kept, once the phone is open. */
	stored = <Result>(work: (store: Store) => Promise<Result>): Promise<Result> => work(this.#store);
	/** The exchange of releases in requests for routes; it is loaded after the screen. */
	/** Whether the service says at once when something changes. */
	isLive = (): boolean => false;
	app?: { says: () => Promise<AppHeader>; hears: (headers: Headers) => void };
	#store!: Store;
	#outbox!: Outbox;
	#lock!: Lock;
	#tabs?: BroadcastChannel;
	#timer?: ReturnType<typeof setTimeout>;
	#pause = shortest;
	#again = false;
	#nextDay = { name: '', at: 0 };
	#lastRead = 0;

	/** Reads the stored data, and starts sending and reading. */
	async begin(): Promise<void> {
		try {
			this.#store = await Store.open();
		} catch (error) {
			this.broken = asProblem(error);
			return;
		}
		this.#lock = lockOf(navigator.locks);
		this.#outbox = new Outbox({
			store: this.#store,
			wire: wireLater(language),
			lock: this.#lock,
			driver: () => this.#sender(),
			now: () => new Date(),
			changed: () => void this.#changed(),
			messages: (driver) => this.#talk(driver)
		});
		this.#tabs = new BroadcastChannel('waybill-driver');
		this.#tabs.onmessage = () => void this.#look();
		await this.#look();
		this.ready = true;
		this.#listen();
		void this.#start();
	}

	async #start(): Promise<void> {
		await this.read();
		await this.send();
	}

	#listen(): void {
		const wake = () => {
			if (document.visibilityState === 'visible') void this.#start();
		};
		addEventListener('online', wake);
		document.addEventListener('visibilitychange', wake);
		setInterval(() => (this.now = new Date()), 5000);
		setInterval(() => {
			const isDue = !this.isLive() || Date.now() - this.#lastRead >= readEveryLive;
			if (document.visibilityState === 'visible' && isDue) void this.read();
		}, readEvery);
	}

	async #changed(): Promise<void> {
		this.#tabs?.postMessage('changed');
		await this.#look();
	}

	/** Shows the stored data. */
	async #look(): Promise<void> {
		const who = await this.#store.kept<Who>(whoKey);
		this.who = who;
		if (!who) {
			[this.today, this.tomorrow, this.waiting, this.answers, this.pictures, this.messages] = [undefined, undefined, [], [], 0, 0];
			return;
		}
		const of = await this.#store.kept<SaidDay>(`${who.driver}/${dayKey}`);
		const [said, waiting, answers] = await Promise.all([
			of && this.#store.route(who.driver, of.date),
			this.#store.waiting(who.driver),
			this.#store.answers(who.driver)
		]);
		const day = dayShown(of, said?.route, of && endOf(of.date, who.zone, answers, waiting), who.zone, new Date());
		this.skew = of?.skew ?? 0;
		const [now, then, pictures, messages, aboard] = await Promise.all([
			this.#store.route(who.driver, day),
			this.#store.route(who.driver, daysAfter(day, 1)),
			this.#store.pictures(who.driver),
			this.#store.names(waitingKey(who.driver)),
			this.#store.kept<Aboard>(`${who.driver}/${day}/${aboardKey}`)
		]);
		this.changes = now?.seen ? ((await news())?.(now.seen.stops, now.route.stops) ?? []) : [];
		[this.today, this.tomorrow, this.waiting, this.answers, this.pictures] = [now, then, waiting, answers, pictures.length];
		this.messages = messages.length;
		this.aboard = aboard ?? {};
	}

	/** Whose actions are sent: nobody's while it is unknown whose session the phone has. */
	async #sender(): Promise<number | undefined> {
		if (await this.#store.kept<boolean>(connectingKey)) await this.#identify().catch(() => {});
		if (await this.#store.kept<boolean>(connectingKey)) return undefined;
		return (await this.#store.kept<Who>(whoKey))?.driver;
	}

	/** Sends messages to the office. What sends them is loaded when one waits. */
	async #talk(driver: number): Promise<Rest> {
		if (!(await this.#store.names(waitingKey(driver))).length) return {};
		const { sendMessages } = await import('./chat/send').catch(() => ({ sendMessages: undefined }));
		return sendMessages?.(this.#store, driver, language(), () => void this.#changed()) ?? { failure: 'network' };
	}

	/** Sends messages that are kept, when possible. */
	async sendMessages(): Promise<void> {
		await this.#changed();
		this.#pause = shortest;
		void this.send();
	}

	/** Asks the service whose session the phone has. */
	async #identify(called?: string): Promise<void> {
		const [route, session] = await Promise.all([
			ask(api.GET('/v1/driver/route', { params: { query: {} } })),
			ask(api.GET('/v1/session'))
		]);
		await this.#is({
			driver: route.driverId,
			name: route.name,
			zone: session.time_zone,
			organization: session.organization,
			called: called ?? (this.who?.organization === session.organization ? this.who.called : undefined)
		});
		if (!ownLanguage()) await chooseLanguage(session.language);
	}

	async #is(who: Who): Promise<void> {
		await this.#store.keep(whoKey, who);
		await this.#store.keep(connectingKey, undefined);
		await this.#changed();
	}

	/**
	 * Enrolls the phone. Nothing is sent in the meantime, so that no actions are sent as another
	 * driver's.
	 */
	async connect(enrol: () => Promise<Schema<'Enrolled'>>): Promise<void> {
		await this.#lock(async () => {
			await this.#store.keep(connectingKey, true);
			let called: string;
			try {
				({ organization: called } = await enrol());
			} catch (error) {
				// A rejection changed nothing. After a lost response, the
				// session is checked before anything is sent.
				if (asProblem(error).status > 0) await this.#store.keep(connectingKey, undefined);
				throw error;
			}
			await this.#identify(called);
		});
		this.failure = undefined;
		void navigator.storage?.persist?.();
		await this.#start();
	}

	/** Disconnects the phone once nothing is unsent. */
	async leave(all: (store: Store, driver: number) => Promise<void>): Promise<void> {
		const who = this.who;
		if (!who || this.waiting.length || this.pictures || this.messages) return;
		await ask(api.DELETE('/v1/session'));
		await all(this.#store, who.driver);
		await this.#store.keep(whoKey, undefined);
		await this.#changed();
	}

	/** Reads the current route, of the service's day, and that of the next day. */
	async read(): Promise<void> {
		const who = this.who;
		if (!who) return;
		this.#lastRead = Date.now();
		try {
			const day = await this.#readRoute(who);
			if (!day) {
				await this.#lock(() => this.#identify()); // the phone now belongs to another driver
				return;
			}
			await this.#readNextDay(who, daysAfter(day, 1));
			if (!this.waiting.length && !this.messages) this.failure = undefined;
			await this.#changed();
		} catch (error) {
			this.failure = failureOf(error);
			await this.#look(); // the day may be another one by now
		}
	}

	/** Reads the route of the next day, which is no news every minute. */
	async #readNextDay(who: Who, date: string): Promise<void> {
		const name = `${who.driver}/${date}`;
		if (this.#nextDay.name === name && Date.now() - this.#nextDay.at < nextDayEvery) return;
		await this.#readRoute(who, date);
		this.#nextDay = { name, at: Date.now() };
	}

	/**
	 * Reads the route of a day, or the current one, and returns its day; nothing if it is another
	 * driver's.
	 */
	async #readRoute(who: Who, date?: string): Promise<string | undefined> {
		const upTo = (await this.#store.answers(who.driver)).at(-1)?.n ?? 0;
		const day = date ?? (await this.#store.kept<SaidDay>(`${who.driver}/${dayKey}`))?.date;
		const had = day ? await this.#store.route(who.driver, day) : undefined;
		let [changed, headers] = await this.#askForChanges(date, had?.revision);
		if (changed.driverId !== who.driver) return undefined;
		const { applied } = await import('./day/applied');
		let route = applied(had?.route, changed);
		if (!route) {
			// The changes are of another version.
			[changed, headers] = await this.#askForChanges(date);
			route = applied(undefined, changed);
		}
		if (!route || changed.driverId !== who.driver) return undefined;
		const now = new Date();
		const kept = { driver: who.driver, date: route.date, route, revision: changed.revision, readAt: now.toISOString(), upTo };
		const changes = await news();
		await this.#store.keepRoute(kept, (seen) => changes?.(seen.stops, route.stops).length !== 0);
		if (date) return route.date;
		const key = `${who.driver}/${dayKey}`;
		const before = await this.#store.kept<SaidDay>(key);
		// Actions during the request count. They move from the unsent ones to
		// the responses, so these are read last.
		const waiting = await this.#store.waiting(who.driver);
		const ended = before && endOf(before.date, who.zone, await this.#store.answers(who.driver), waiting);
		await this.#store.keep(key, saidDay(before, route.date, skewOf(headers.get('date'), now), ended));
		return route.date;
	}

	/** Asks for the changes of a route since the version that the phone has. */
	async #askForChanges(date?: string, since?: string): Promise<[Schema<'DriverRouteChanges'>, Headers]> {
		const asked = api.GET('/v1/driver/route/changes', { params: { query: { date, since, delays: true }, header: await this.app?.says() } });
		const changed = await ask(asked);
		const { headers } = (await asked).response;
		this.app?.hears(headers);
		return [changed, headers];
	}

	/** Sends unsent actions, and retries failed ones later. */
	async send(): Promise<void> {
		if (this.sending) {
			this.#again = true;
			return;
		}
		clearTimeout(this.#timer);
		this.sending = true;
		const had = this.waiting.length;
		const wrote = this.messages;
		let after: number;
		try {
			const rest = await this.#outbox.run();
			if (rest.failure || had || wrote) this.failure = rest.failure;
			after = rest.failure ? (rest.after ?? this.#pause * (0.75 + Math.random() / 2)) : 0;
		} catch (error) {
			this.failure = failureOf(error);
			after = this.#pause;
		} finally {
			this.sending = false;
		}
		await this.#look();
		if (!after && (had || this.#again)) this.#readSoon(); // again: there were more meanwhile
		this.#pause = after ? Math.min(this.#pause * 2, longest) : shortest;
		if (this.#again) {
			this.#again = false;
			after = after ? Math.min(after, shortest) : 1;
		}
		if (after) this.#timer = setTimeout(() => void this.send(), after);
	}

	/** Reads the route after actions were sent, unless that happens anyway. */
	#readSoon(): void {
		if (!this.isLive()) return void this.read();
		const sent = Date.now();
		setTimeout(() => this.#lastRead < sent && void this.read(), readAfterSending);
	}

	/** Stores the driver's actions, and sends them when possible. Returns their ids. */
	async act(said: (Said & { since?: Date })[], label: string, pictures: Omit<Picture, 'driver'>[] = []): Promise<string[]> {
		const who = this.who;
		if (!who) throw new Problem(401, '');
		const now = new Date();
		const position = place.latest(now);
		const stops = new Map(this.today?.route.stops.map((stop) => [stop.stopId, stop]));
		const added: Added[] = said.map(({ since, ...one }) =>
			written(position ? { ...one, position } : one, label, since ?? now, {
				number: stops.get(one.stopId ?? 0)?.externalId,
				day: this.today?.date,
				...goneBy(one, stops.get(one.stopId ?? 0)?.products ?? [])
			})
		);
		try {
			await this.#takeAboard(said);
			await this.#outbox.add(who.driver, added, pictures);
		} catch (error) {
			throw error instanceof DOMException && error.name === 'QuotaExceededError' ? new Problem(-1, t('phone.full')) : error;
		}
		await this.#look();
		this.now = new Date();
		this.#pause = shortest;
		void this.send();
		return added.map((one) => one.id);
	}

	async #takeAboard(said: Said[]): Promise<void> {
		const ids = new Set(said.filter((one) => one.type === 'PICK_UP').map((one) => one.stopId));
		const stops = this.today?.route.stops.filter((stop) => ids.has(stop.stopId)) ?? [];
		if (!stops.length) return;
		const taken: Aboard = Object.fromEntries(stops.map((stop) => [stop.orderId, { number: stop.externalId, goods: stop.products }]));
		await this.keepNote(aboardKey, { ...this.aboard, ...taken });
	}

	/** Whether the driver did something on the shown route, as far as the phone knows. */
	did(type: Waiting['type']): boolean {
		const day = this.today?.date;
		return Boolean(day) && [...this.waiting, ...this.answers].some((one) => one.type === type && isOf(one, day!, this.who?.zone ?? 'UTC'));
	}

	/** The actions that together set the present state of these stops, without undone ones. */
	lastSaid(stops: { stopId: number }[]): string[] {
		const isHere = (one: Waiting | Answered): boolean => stops.some((stop) => stop.stopId === one.stopId);
		const all = [...this.answers.filter((one) => one.outcome === 'APPLIED'), ...this.waiting].filter(isHere);
		const undone = new Set(all.map((one) => one.undoes));
		const last = all.filter((one) => (leadsTo[one.type] || one.nothing) && !undone.has(one.id)).at(-1);
		return all.filter((one) => one.at === last?.at && one.type === last.type).map((one) => one.id);
	}

	/** Reports whether goods were scanned at each of these stops. */
	hasScanned(stops: { stopId: number }[]): boolean {
		const scans = [...this.waiting, ...this.answers].filter(
			(one) => one.type === 'SCAN' && !('outcome' in one && one.outcome === 'REJECTED')
		);
		return stops.length > 0 && stops.every((stop) => scans.some((scan) => scan.stopId === stop.stopId));
	}

	/** The actions that were reported together with one. */
	together(id: string): string[] {
		const first = this.action(id);
		if (!first) return [];
		return [...this.answers, ...this.waiting].filter((one) => one.at === first.at && one.type === first.type).map((one) => one.id);
	}

	/** The stored record of an action, unsent or answered. */
	action(id: string): Waiting | Answered | undefined {
		return this.waiting.find((one) => one.id === id) ?? this.answers.find((one) => one.id === id);
	}

	async understood(answers: Answered[]): Promise<void> {
		for (const answer of answers) await this.#store.read(answer.n);
		await this.#changed();
	}

	async sawRoute(): Promise<void> {
		if (!this.today) return;
		await this.#store.sawRoute(this.today.driver, this.today.date);
		await this.#changed();
	}

	async setDuty(onDuty: boolean): Promise<void> {
		await ask(api.PUT('/v1/driver/duty', { body: { onDuty } }));
		await this.read();
	}

	/** Reports the driver's position. A failed report is not retried: only the road ahead counts. */
	async whereabouts(positions: Schema<'DriverPosition'>[]): Promise<void> {
		if (this.who && positions.length) await ask(api.POST('/v1/driver/positions', { body: { positions } }));
	}

	/** Records refused goods at stops by product, so that the end of the day can list returns. */
	async keepRefused(stops: { stopId: number }[], refused: Record<number, number>): Promise<void> {
		const before = (await this.refused()) ?? {};
		const now = Object.fromEntries(stops.map((stop) => [stop.stopId, refused]));
		await this.keepNote(refusedKey, { ...before, ...now });
	}

	/** Today's refused goods, by stop and product. */
	refused(): Promise<Record<number, Record<number, number>> | undefined> {
		return this.note(refusedKey);
	}

	/** Data of the day that only this phone stores. */
	note<Value>(key: string): Promise<Value | undefined> {
		return this.#store.kept<Value>(`${this.who?.driver}/${this.today?.date}/${key}`);
	}

	keepNote(key: string, value: unknown): Promise<void> {
		return this.#store.keep(`${this.who?.driver}/${this.today?.date}/${key}`, value);
	}

	/** The stored names of the day with a prefix. */
	async notes(begin: string): Promise<string[]> {
		const day = `${this.who?.driver}/${this.today?.date}/`;
		return (await this.#store.names(day + begin)).map((name) => name.slice(day.length));
	}
}

/** The comparison of routes, which is loaded when there is something to compare. */
const news = () => import('./day/changes').then(({ changes }) => changes, () => undefined);

/** Whether something unrefused belongs to the route of a day. */
function isOf(one: Waiting | Answered, day: string, zone: string): boolean {
	return (one.day ?? dayIn(zone, new Date(one.at))) === day && !('outcome' in one && one.outcome === 'REJECTED');
}

/** When the driver ended the route of a day, by the phone's clock, if they did. */
function endOf(day: string, zone: string, answers: Answered[], waiting: Waiting[]): string | undefined {
	return [...answers, ...waiting].filter((one) => one.type === 'END_ROUTE' && isOf(one, day, zone)).at(-1)?.at;
}

function failureOf(error: unknown): Failure {
	const { status } = asProblem(error);
	if (status === 401 || status === 403) return 'stranger';
	if (status === 429) return 'busy';
	if (status >= 500) return 'server';
	return status > 0 ? 'refused' : 'network';
}

export const phone = new Phone();
