// The phone's database. Each method is one durable transaction: after a crash
// either all of it happened or nothing.
import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import type { Schema } from '$shared/api';

export type Deed = Schema<'DriverAction'>['type'];
export type Route = Schema<'DriverRoute'>;

/** An action that the service has not received yet. */
export interface Waiting {
	/** The sequence in which actions are sent. */
	seq: number;
	driver: number;
	id: string;
	type: Deed;
	stopId?: number;
	undoes?: string;
	/** The driver's name for it, such as the name of the location. */
	label: string;
	/** The number of its order, which distinguishes those of one location. */
	number?: string;
	/** The day of its route; older records have none. */
	day?: string;
	at: string;
	/**
	 * Whether it reports that nothing of the order was there, or nothing was accepted, so that the
	 * order fails.
	 */
	nothing?: boolean;
	/** How many of each product are missing, by a report of that. */
	missing?: Record<number, number>;
	/** The action as sent, except for the time of sending. It is immutable. */
	body: string;
	tries: number;
	/** Why it is still here. */
	failure?: Failure;
}

export type Failure = 'network' | 'server' | 'busy' | 'stranger' | 'refused';

/** The result of an action. */
export interface Answered {
	/** The sequence in which responses arrived. */
	n: number;
	driver: number;
	id: string;
	type: Deed;
	stopId?: number;
	undoes?: string;
	label: string;
	number?: string;
	day?: string;
	nothing?: boolean;
	missing?: Record<number, number>;
	at: string;
	answeredAt: string;
	outcome: 'APPLIED' | 'RECORDED' | 'REJECTED';
	reason: string;
	text: string;
	/** Whether the driver has read its explanation. */
	seen: boolean;
}

export type Answer = Pick<Answered, 'outcome' | 'reason' | 'text'>;
export type Added = Pick<Waiting, 'id' | 'type' | 'stopId' | 'undoes' | 'label' | 'number' | 'day' | 'nothing' | 'missing' | 'at' | 'body'>;

/** The bytes of a picture, by the hash that an action names. */
export interface Picture {
	driver: number;
	sha256: string;
	type: string;
	bytes: ArrayBuffer;
	/** The service's rejection of the request, and when. */
	refused?: string;
	refusedAt?: number;
}

/** A route as it was last read. */
export interface KeptRoute {
	driver: number;
	date: string;
	route: Route;
	/** The service's name for this version, of which it sends the changes. */
	revision?: string;
	readAt: string;
	/** The last response when the route was requested: the route includes all effects up to it. */
	upTo: number;
	/** The route as the driver has seen it, where it is another one since. */
	seen?: Route;
}

interface Tables extends DBSchema {
	actions: { key: number; value: Waiting; indexes: { driver: number } };
	pictures: { key: [number, string]; value: Picture };
	answers: { key: number; value: Answered; indexes: { driver: number } };
	routes: { key: [number, string]; value: KeptRoute };
	kept: { key: string; value: unknown };
}

/** Which rows of tables are deleted. */
export type Where = {
	[Name in 'kept' | 'answers' | 'routes' | 'pictures']: (row: Tables[Name]['value'], key: Tables[Name]['key'] & string) => boolean;
};

const strict = { durability: 'strict' } as const;

/** Messages to the office wait under names with this beginning. Identifiers begin with the time, so names are in its order. */
export const waitingKey = (driver: number): string => `${driver}/message/`;

export class Store {
	private constructor(private readonly db: IDBPDatabase<Tables>) {}

	/** Opens the database. Later versions only add to it, so that earlier ones keep working. */
	static async open(name = 'waybill-driver'): Promise<Store> {
		const db = await openDB<Tables>(name, 1, {
			upgrade(db) {
				db.createObjectStore('actions', { keyPath: 'seq', autoIncrement: true }).createIndex('driver', 'driver');
				db.createObjectStore('pictures', { keyPath: ['driver', 'sha256'] });
				db.createObjectStore('answers', { keyPath: 'n', autoIncrement: true }).createIndex('driver', 'driver');
				db.createObjectStore('routes', { keyPath: ['driver', 'date'] });
				db.createObjectStore('kept');
			},
			blocking: () => db.close()
		});
		return new Store(db);
	}

	close(): void {
		this.db.close();
	}

	/** Runs several writes as one transaction. */
	private async write<Name extends StoreNames<Tables>>(
		names: Name[],
		work: (tx: IDBPTransaction<Tables, Name[], 'readwrite'>) => Promise<unknown>
	): Promise<void> {
		const tx = this.db.transaction(names, 'readwrite', strict);
		try {
			await work(tx);
		} catch (error) {
			tx.done.catch(() => {}); // it rethrows what is thrown here
			try {
				tx.abort();
			} catch {
				// A disk that is full has ended it already.
			}
			throw error;
		}
		await tx.done;
	}

	/** Keeps actions, in their sequence, with the pictures that they name. */
	async add(driver: number, actions: Added[], pictures: Omit<Picture, 'driver'>[] = []): Promise<void> {
		await this.write(['actions', 'pictures'], async (tx) => {
			for (const action of actions) await tx.objectStore('actions').add({ ...action, driver, tries: 0 } as Waiting);
			for (const picture of pictures) await tx.objectStore('pictures').put({ ...picture, driver });
		});
	}

	/** The actions that a driver's phone has to send next, in sequence. */
	oldest(driver: number, most: number): Promise<Waiting[]> {
		return this.db.getAllFromIndex('actions', 'driver', driver, most);
	}

	/** All that a driver's phone has to send, in sequence. */
	waiting(driver: number): Promise<Waiting[]> {
		return this.db.getAllFromIndex('actions', 'driver', driver);
	}

	/** Notes that actions could not be sent. */
	async failed(actions: Waiting[], failure: Failure): Promise<void> {
		await this.write(['actions'], async (tx) => {
			for (const { seq } of actions) {
				const row = await tx.objectStore('actions').get(seq);
				if (row) await tx.objectStore('actions').put({ ...row, tries: row.tries + 1, failure });
			}
		});
	}

	/** Replaces actions with their results, in sequence. */
	async settle(actions: Waiting[], answers: Answer[], answeredAt: string): Promise<void> {
		await this.write(['actions', 'answers'], async (tx) => {
			for (const [turn, action] of actions.entries()) {
				const answer = answers[turn];
				if (!answer || !(await tx.objectStore('actions').get(action.seq))) continue;
				const { driver, id, type, stopId, undoes, label, number, day, nothing, missing, at } = action;
				const seen = answer.outcome === 'APPLIED';
				const row: Omit<Answered, 'n'> = { driver, id, type, stopId, undoes, label, number, day, nothing, missing, at, answeredAt, seen, ...answer };
				await tx.objectStore('answers').add(row as Answered);
				await tx.objectStore('actions').delete(action.seq);
			}
		});
	}

	/** The responses to a driver's phone, in sequence. */
	answers(driver: number): Promise<Answered[]> {
		return this.db.getAllFromIndex('answers', 'driver', driver);
	}

	/** Records that the driver has read the explanation of an action. */
	async read(n: number): Promise<void> {
		await this.write(['answers'], async (tx) => {
			const row = await tx.objectStore('answers').get(n);
			if (row) await tx.objectStore('answers').put({ ...row, seen: true });
		});
	}

	/** The pictures of a driver that are still to be brought, without their bytes. */
	async pictures(driver: number): Promise<string[]> {
		const keys = await this.db.getAllKeys('pictures', IDBKeyRange.bound([driver, ''], [driver, '\uffff']));
		return keys.map(([, sha256]) => sha256);
	}

	picture(driver: number, sha256: string): Promise<Picture | undefined> {
		return this.db.get('pictures', [driver, sha256]);
	}

	/** Notes that the service has a picture. */
	async brought(driver: number, sha256: string): Promise<void> {
		await this.write(['pictures'], (tx) => tx.objectStore('pictures').delete([driver, sha256]));
	}

	/** Notes that the service does not take a picture. It stays on the phone as long as answers do. */
	async refused(driver: number, sha256: string, why: string): Promise<void> {
		await this.write(['pictures'], async (tx) => {
			const row = await tx.objectStore('pictures').get([driver, sha256]);
			if (row) await tx.objectStore('pictures').put({ ...row, refused: why, refusedAt: Date.now() });
		});
	}

	route(driver: number, date: string): Promise<KeptRoute | undefined> {
		return this.db.get('routes', [driver, date]);
	}

	/**
	 * Stores a route as read. It keeps the version that the driver has seen, as long as there are
	 * changes since.
	 */
	async keepRoute(kept: Omit<KeptRoute, 'seen'>, isNews: (seen: Route) => boolean = () => true): Promise<void> {
		await this.write(['routes'], async (tx) => {
			const before = await tx.objectStore('routes').get([kept.driver, kept.date]);
			const seen = before && (before.seen ?? before.route);
			await tx.objectStore('routes').put({ ...kept, ...(seen && isNews(seen) && { seen }) });
		});
	}

	/** Notes that the driver has seen how a route is now. */
	async sawRoute(driver: number, date: string): Promise<void> {
		await this.write(['routes'], async (tx) => {
			const row = await tx.objectStore('routes').get([driver, date]);
			if (row) await tx.objectStore('routes').put({ ...row, seen: undefined });
		});
	}

	async kept<Value>(key: string): Promise<Value | undefined> {
		return (await this.db.get('kept', key)) as Value | undefined;
	}

	/** Keeps something under a name; undefined forgets it. */
	async keep(key: string, value: unknown): Promise<void> {
		await this.write(['kept'], async (tx) => {
			if (value === undefined) await tx.objectStore('kept').delete(key);
			else await tx.objectStore('kept').put(value, key);
		});
	}

	/** The stored names with a prefix. */
	names(begin: string): Promise<string[]> {
		return this.db.getAllKeys('kept', IDBKeyRange.bound(begin, `${begin}\uffff`));
	}

	/** Forgets rows of tables, all of them together. */
	async forget(where: Where): Promise<void> {
		await this.write(Object.keys(where) as (keyof Where)[], async (tx) => {
			for (const name of tx.objectStoreNames)
				for await (const row of tx.objectStore(name)) if (where[name](row.value as never, row.key as never)) await row.delete();
		});
	}

}
