// The outbox: a driver's actions are stored first and then sent in sequence,
// until the service has responded to each.
import type { Added, Failure, Picture, Store, Waiting } from './store';
import type { Wire } from './wire';

/** The result of a run: nothing is left to send, or why something is. */
export interface Rest {
	failure?: Failure;
	/** When the service wants the next request, in milliseconds. */
	after?: number;
}

/** One run at a time, of all windows of this phone. */
export type Lock = <Result>(run: () => Promise<Result>) => Promise<Result>;

/** The browser's lock, or one per window without support. */
export function lockOf(locks: LockManager | undefined): Lock {
	if (locks) return (run) => locks.request('waybill-outbox', run) as ReturnType<typeof run>;
	let last: Promise<unknown> = Promise.resolve();
	return (run) => {
		const next = last.then(run);
		last = next.catch(() => {});
		return next;
	};
}

export interface Means {
	store: Store;
	wire: Wire;
	lock: Lock;
	/** Whose actions are sent: those of the phone's driver, or nobody's. */
	driver: () => Promise<number | undefined>;
	now: () => Date;
	/** Called after each change. */
	changed: () => void;
	/** Sends a driver's messages to the office. */
	messages?: (driver: number) => Promise<Rest>;
}

/** How many pictures are sent at once. */
const pictures = 2;

/** How many actions the service takes at once, and how many bytes one request is to have. */
const mostActions = 100;
const mostBytes = 256 * 1024;

/** The first actions that fit into one request, at least one. */
export function batchOf(actions: Waiting[]): Waiting[] {
	let bytes = 0;
	return actions.slice(0, mostActions).filter((action, turn) => (bytes += action.body.length) <= mostBytes || turn === 0);
}

export class Outbox {
	constructor(private readonly means: Means) {}

	/** Stores an action. When it returns, only the loss of the phone can lose the action. */
	async add(driver: number, actions: Added[], named: Omit<Picture, 'driver'>[] = []): Promise<void> {
		await this.means.store.add(driver, actions, named);
		this.means.changed();
	}

	/** Sends unsent actions until none is left or the service is unavailable. */
	run(): Promise<Rest> {
		return this.means.lock(async () => {
			const driver = await this.means.driver();
			if (driver === undefined) return {};
			const all = await Promise.all([this.send(driver), this.bring(driver), this.means.messages?.(driver) ?? {}]);
			return all.find(({ failure }: Rest) => failure) ?? {};
		});
	}

	/**
	 * Sends a driver's actions in batches: the next only after the response to the one before. If the
	 * service refuses a batch, it has processed none of it. Its actions then go one by one, so that
	 * only the refused one is settled as that.
	 */
	private async send(driver: number): Promise<Rest> {
		const { store, wire, now, changed } = this.means;
		let alone = 0; // how many of the next actions are sent one by one
		for (;;) {
			const actions = batchOf(await store.oldest(driver, alone ? 1 : mostActions));
			if (!actions.length) return {};
			const heard = await wire.send(actions);
			if (heard.kind === 'later') {
				await store.failed(actions, heard.failure);
				changed();
				return { failure: heard.failure, after: heard.after };
			}
			if (heard.kind === 'refused' && actions.length > 1) {
				alone = actions.length;
				continue;
			}
			const answers = heard.kind === 'refused' ? [heard.answer] : heard.answers;
			await store.settle(actions, answers, now().toISOString());
			alone = Math.max(alone - 1, 0);
			changed();
		}
	}

	/** Sends a driver's pictures in parallel with the actions, two at a time. */
	private async bring(driver: number): Promise<Rest> {
		const names = await this.means.store.pictures(driver);
		let rest: Rest = {};
		const one = async (): Promise<void> => {
			for (let name = names.shift(); name && !rest.failure; name = names.shift()) {
				const failure = await this.bringOne(driver, name);
				if (failure) rest = { failure };
			}
		};
		await Promise.all(Array.from({ length: pictures }, one));
		return rest;
	}

	private async bringOne(driver: number, name: string): Promise<Failure | undefined> {
		const { store, wire, changed } = this.means;
		const picture = await store.picture(driver, name);
		if (!picture || picture.refused) return undefined;
		const brought = await wire.bring(picture);
		if (brought.kind === 'later') return brought.failure;
		if (brought.kind === 'there') await store.brought(driver, name);
		else await store.refused(driver, name, brought.why);
		changed();
		return undefined;
	}
}
