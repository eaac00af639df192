// What others changed on a day, grouped so that it can be said in a sentence.
import type { Schema } from '$shared/api';

export type Change = Schema<'PlanChange'>;
export type Kind = Change['kind'];

/** Changes of one kind by one actor for one driver. */
export interface Group {
	key: string;
	kind: Kind;
	actor: string;
	actorName: string | null;
	/** The driver whom all of it is about, if there is one. */
	driverName: string | null;
	changes: Change[];
}

/** What needs somebody comes first, and what planning only shifted last. */
const kinds: Kind[] = [
	'EXCEPTION', 'FAILED', 'UNPLANNED', 'CANCELLED', 'NEW', 'REACTIVATED', 'MOVED', 'PLANNED', 'HELD', 'RELEASED', 'CHANGED', 'PLAN_RELEASED', 'RETIMED'
];

/** The driver whom a change is about: the one who gets an order, or the one who loses it. */
const driverOf = (change: Change) => (change.kind === 'UNPLANNED' ? change.fromDriverName : change.driverName);

const byDriver = new Set<Kind>(['MOVED', 'PLANNED', 'UNPLANNED', 'RETIMED', 'HELD', 'RELEASED']);

/** The groups of changes, the most urgent first. A new order is told once, with the driver it has. */
export function groupsOf(changes: Change[]): Group[] {
	const fresh = new Set(changes.filter(({ kind }) => kind === 'NEW').map(({ orderId }) => orderId));
	const planned = new Map(changes.filter(({ kind }) => kind === 'PLANNED').map((change) => [change.orderId, change]));
	const groups = new Map<string, Group>();
	for (const change of changes) {
		const { kind, actor, actorName } = change;
		if (fresh.has(change.orderId) && (kind === 'PLANNED' || kind === 'CHANGED')) continue;
		const now = kind === 'NEW' ? planned.get(change.orderId) : undefined;
		const told = now ? { ...change, driverId: now.driverId, driverName: now.driverName, time: now.time } : change;
		const driverName = byDriver.has(kind) ? driverOf(change) : null;
		const key = `${kind} ${actor} ${driverName ?? ''} ${change.exception ?? ''}`;
		const group = groups.get(key) ?? { key, kind, actor, actorName, driverName, changes: [] };
		group.changes.push(told);
		groups.set(key, group);
	}
	return [...groups.values()].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

/** The driver and the place of an order before, to which it can be put back. */
export function formerDriver(change: Change): { driverId: number; driverName: string } | undefined {
	const { kind, fromDriverId, fromDriverName } = change;
	if ((kind !== 'MOVED' && kind !== 'UNPLANNED') || fromDriverId === null) return undefined;
	return { driverId: fromDriverId, driverName: fromDriverName ?? '' };
}

const looked = (user: number, date: string) => `waybill-looked/${user}/${date}`;

/** When somebody last looked at what changed on a day; now, if never in this browser. */
export function lastLook(user: number, date: string): string {
	const kept = localStorage.getItem(looked(user, date));
	if (kept && !Number.isNaN(Date.parse(kept)) && Date.now() - Date.parse(kept) < oldest) return kept;
	return keepLook(user, date, new Date().toISOString());
}

/** Remembers until when somebody has looked. */
export function keepLook(user: number, date: string, until: string): string {
	localStorage.setItem(looked(user, date), until);
	return until;
}

/** The service tells changes of 31 days, in milliseconds. */
const oldest = 30 * 24 * 3_600_000;
