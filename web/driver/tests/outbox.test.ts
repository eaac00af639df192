import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256, written } from '../src/lib/outbox/action';
import { forgetDriver, tidy } from '../src/lib/outbox/old';
import { lockOf, Outbox, type Means } from '../src/lib/outbox/outbox';
import { Store } from '../src/lib/outbox/store';
import type { Wire } from '../src/lib/outbox/wire';
import { Service } from './service';

const nora = 17;
const jens = 18;
let service: Service;
let name = '';
const opened: Store[] = [];

beforeEach(() => {
	service = new Service();
	name = `phone-${Math.random()}`;
});

afterEach(() => {
	for (const store of opened.splice(0)) store.close();
});

async function open(): Promise<Store> {
	const store = await Store.open(name);
	opened.push(store);
	return store;
}

async function outbox(given: Partial<Means> = {}): Promise<Outbox> {
	return new Outbox({
		store: await open(),
		wire: service,
		lock: lockOf(undefined),
		driver: async () => nora,
		now: () => new Date(),
		changed: () => {},
		...given
	});
}

const deed = (stopId: number) => written({ type: 'ARRIVE', stopId }, `Stop ${stopId}`, new Date('2026-12-07T09:00:00Z'));

async function picture(text: string) {
	const bytes = new TextEncoder().encode(text).buffer;
	return { sha256: await sha256(bytes), type: 'image/jpeg', bytes };
}

/** Thrown where the phone dies. Nothing after it happens. */
class Death extends Error {}

/** Makes the phone die before or after the given call. */
function dying<Thing extends object>(thing: Thing, clock: { left: number }): Thing {
	return new Proxy(thing, {
		get(target, property) {
			const value: unknown = Reflect.get(target, property, target);
			if (typeof value !== 'function') return value;
			return async (...args: unknown[]) => {
				if (clock.left-- <= 0) throw new Death();
				const result: unknown = await (value as (...args: unknown[]) => unknown).apply(target, args);
				if (clock.left-- <= 0) throw new Death();
				return result;
			};
		}
	});
}

describe('what the driver did', () => {
	test('is sent once each, in its sequence, and as it was written', async () => {
		const box = await outbox();
		const actions = [deed(1), deed(2), deed(3)];
		await box.add(nora, actions.slice(0, 2));
		await box.add(nora, actions.slice(2));
		expect(await box.run()).toEqual({});
		expect([...service.done]).toEqual(actions.map((action) => [action.id, action.body]));
		expect(service.requests).toBe(1);
		const store = await open();
		expect(await store.waiting(nora)).toEqual([]);
		expect((await store.answers(nora)).map((answer) => answer.outcome)).toEqual(['APPLIED', 'APPLIED', 'APPLIED']);
	});

	test('needs two requests for an arrival and a pickup of 38 orders', async () => {
		const box = await outbox();
		for (const turn of [0, 1]) {
			await box.add(nora, Array.from({ length: 38 }, (_, at) => deed(100 * turn + at)));
			await box.run();
		}
		expect(service.done.size).toBe(76);
		expect(service.requests).toBe(2);
	});

	test('goes in requests of a hundred, and of few bytes', async () => {
		const box = await outbox();
		const long = (stopId: number) =>
			written({ type: 'NOTE', stopId, comment: 'x'.repeat(100_000) }, '', new Date('2026-12-07T09:00:00Z'));
		await box.add(nora, [...Array.from({ length: 101 }, (_, at) => deed(at)), long(1), long(2), long(3)]);
		expect(await box.run()).toEqual({});
		expect(service.done.size).toBe(104);
		expect(service.requests).toBe(3);
	});

	test('is sent although the service refuses to read one of a batch', async () => {
		const box = await outbox();
		await box.add(nora, [1, 2, 3, 4].map(deed));
		service.malformed = 2;
		expect(await box.run()).toEqual({});
		const store = await open();
		expect((await store.answers(nora)).map(({ stopId, reason }) => [stopId, reason])).toEqual([[1, ''], [2, 'MALFORMED'], [3, ''], [4, '']]);
		expect(service.done.size).toBe(3);
	});

	test('is sent again when a service did only a part of it', async () => {
		const box = await outbox();
		const actions = [1, 2, 3].map(deed);
		await box.add(nora, actions);
		service.stopsAfter = 2;
		expect(await box.run()).toEqual({ failure: 'server', after: undefined });
		expect(await (await open()).waiting(nora)).toHaveLength(3);
		expect(await box.run()).toEqual({});
		expect([...service.done]).toEqual(actions.map((action) => [action.id, action.body]));
	});

	test('stays, when the service is not to be had, and goes later', async () => {
		let failure: 'network' | undefined = 'network';
		const wire: Wire = {
			send: (actions) => (failure ? Promise.resolve({ kind: 'later', failure }) : service.send(actions)),
			bring: (one) => (failure ? Promise.resolve({ kind: 'later', failure }) : service.bring(one))
		};
		const box = await outbox({ wire });
		await box.add(nora, [deed(1), deed(2)], [await picture('a shed')]);
		expect(await box.run()).toEqual({ failure: 'network', after: undefined });
		const store = await open();
		expect((await store.waiting(nora)).map(({ tries, failure }) => [tries, failure])).toEqual([[1, 'network'], [1, 'network']]);
		failure = undefined;
		expect(await box.run()).toEqual({});
		expect(service.done.size).toBe(2);
		expect(service.pictures.size).toBe(1);
		expect(await store.pictures(nora)).toEqual([]);
	});

	test('is never sent by a phone that is somebody else’s, or nobody’s', async () => {
		let driver: number | undefined = jens;
		const box = await outbox({ driver: async () => driver });
		await box.add(nora, [deed(1)], [await picture('a shed')]);
		await box.run();
		driver = undefined;
		await box.run();
		expect(service.requests).toBe(0);
		driver = nora;
		await box.run();
		expect(service.done.size).toBe(1);
		expect(service.pictures.size).toBe(1);
	});

	test('is sent by one of two windows at a time', async () => {
		let together = 0;
		let most = 0;
		const wire: Wire = {
			bring: (one) => service.bring(one),
			async send(actions) {
				most = Math.max(most, ++together);
				await new Promise((done) => setTimeout(done, 2));
				together--;
				return service.send(actions);
			}
		};
		const lock = lockOf(undefined); // of the browser, which both windows share
		const [one, other] = [await outbox({ wire, lock }), await outbox({ wire, lock })];
		await one.add(nora, [deed(1), deed(2)]);
		await other.add(nora, [deed(3)]);
		await Promise.all([one.run(), other.run()]);
		expect(most).toBe(1);
		expect(service.done.size).toBe(3);
	});

	test('is kept as one: actions and the pictures that they name', async () => {
		const store = await open();
		const unwritable = { ...(await picture('a shed')), bytes: (() => {}) as unknown as ArrayBuffer };
		await expect(store.add(nora, [deed(1)], [unwritable])).rejects.toThrow();
		expect(await store.waiting(nora)).toEqual([]);
	});

	test('is not lost when old things are forgotten', async () => {
		const store = await open();
		await store.add(nora, [deed(1)], [await picture('a shed')]);
		await tidy(store, Date.parse('2027-12-07T09:00:00Z'));
		expect(await store.waiting(nora)).toHaveLength(1);
		expect(await store.pictures(nora)).toHaveLength(1);
	});

	test('forgets pictures that the service refused as long ago as answers', async () => {
		const store = await open();
		const [refused, waits] = [await picture('a shed'), await picture('a door')];
		await store.add(nora, [], [refused, waits]);
		const at = Date.now();
		await store.refused(nora, refused.sha256, 'too large');
		await tidy(store, at + 13 * 24 * 3600e3);
		expect(await store.pictures(nora)).toHaveLength(2);
		await tidy(store, at + 15 * 24 * 3600e3);
		expect(await store.pictures(nora)).toEqual([waits.sha256]);
	});

	test('keeps nothing of a driver who has disconnected the phone', async () => {
		const store = await open();
		const box = await outbox({ store });
		await box.add(nora, [deed(1)]);
		await box.run();
		await store.keep(`${nora}/2026-12-07/refused`, { 1: 'a name' });
		await store.keep(`${jens}/2026-12-07/refused`, { 1: 'another' });
		await store.add(jens, [deed(2)]);
		await forgetDriver(store, nora);
		expect(await store.answers(nora)).toEqual([]);
		expect(await store.names(`${nora}/`)).toEqual([]);
		expect(await store.names(`${jens}/`)).toHaveLength(1);
		expect(await store.waiting(jens)).toHaveLength(1);
	});

	test('tells the driver what did not count', async () => {
		const wire: Wire = {
			bring: (one) => service.bring(one),
			send: async () => ({
				kind: 'answers',
				answers: [{ outcome: 'RECORDED', reason: 'ORDER_CANCELLED', text: 'The order had already been cancelled.' }]
			})
		};
		const box = await outbox({ wire });
		await box.add(nora, [deed(1)]);
		await box.run();
		const store = await open();
		const [answer] = await store.answers(nora);
		expect(answer).toMatchObject({ outcome: 'RECORDED', reason: 'ORDER_CANCELLED', seen: false, label: 'Stop 1' });
		await store.read(answer!.n);
		expect((await store.answers(nora))[0]!.seen).toBe(true);
	});
});

/** A short day: two batches stored at two moments, including pictures, and sent. */
async function live(clock: { left: number }, actions: ReturnType<typeof deed>[], pictures: Awaited<ReturnType<typeof picture>>[]) {
	const store = dying(await open(), clock);
	const box = new Outbox({
		store,
		wire: dying(service, clock),
		lock: lockOf(undefined),
		driver: async () => nora,
		now: () => new Date(),
		changed: () => {}
	});
	// After a crash, the driver only repeats what the phone does not show.
	const kept = async () => [...(await (await open()).waiting(nora)), ...(await (await open()).answers(nora))].map((one) => one.id);
	for (const [turn, action] of actions.entries()) {
		if ((await kept()).includes(action.id)) continue;
		await box.add(nora, [action], pictures.slice(turn, turn + 1));
		if (turn > 0) await box.run(); // the first two are one batch
	}
	await box.run();
}

describe('a phone that dies between any two steps', () => {
	test('loses nothing and does nothing twice', async () => {
		const actions = [deed(1), deed(2), deed(3)];
		const pictures = [await picture('a shed'), await picture('a door')];
		let deaths = 0;
		for (let steps = 0; ; steps++) {
			service = new Service();
			name = `dying-${steps}`;
			const died = await live({ left: steps }, actions, pictures).then(() => false, (error) => {
				if (!(error instanceof Death)) throw error;
				return true;
			});
			if (died) deaths++;
			await live({ left: Infinity }, actions, pictures);
			expect([...service.done], `dead after ${steps} steps`).toEqual(actions.map((action) => [action.id, action.body]));
			expect([...service.pictures.values()].sort(), `dead after ${steps} steps`).toEqual(['a door', 'a shed']);
			const store = await open();
			expect(await store.waiting(nora)).toEqual([]);
			expect(await store.pictures(nora)).toEqual([]);
			expect((await store.answers(nora)).map((answer) => answer.id)).toEqual(actions.map((action) => action.id));
			if (!died) break;
		}
		expect(deaths).toBeGreaterThan(30);
	});

	test('may die at every step of every start', async () => {
		const actions = [deed(1), deed(2)];
		const pictures = [await picture('a shed')];
		for (let steps = 1, over = false; !over; steps++) {
			over = await live({ left: steps }, actions, pictures).then(() => true, () => false);
		}
		expect([...service.done.keys()]).toEqual(actions.map((action) => action.id));
		expect(service.pictures.size).toBe(1);
	});
});
