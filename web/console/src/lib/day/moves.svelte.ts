// Moves of orders: previewed first, carried out by the service, and undone. An
// order is drawn only where the plan has it.
import { api, ask, asProblem, Problem, type Schema } from '$shared/api';
import { person } from '$shared/session.svelte';
import { say } from '$shared/toasts.svelte';
import { t } from '$shared/words.svelte';
import type { Day, Place } from './day.svelte';
import { readPlans } from './plan';
import { planOf } from './rows';

/** A driver who may have orders. */
export interface Target {
	driverId: number;
	driverName: string;
}

/** A possible move, with its preview. */
export interface Consideration {
	orders: Place[];
	to: Target;
	outcome?: Schema<'MovedOrders'>;
	problem?: Problem;
	/** Who else has moved one of the orders during the preview, in words. */
	moved?: string;
	/** Orders that were chosen together with these and cannot be moved there, each with why not. */
	refused?: { order: Place; why: string }[];
	/** The service has moved them. */
	done?: boolean;
}

/** A move that was carried out, with where the orders were before and the version of the plan since then. */
interface Done {
	orders: Place[];
	to: Target;
	version: number;
	/** How it is undone, where the service does not undo it by itself. */
	back?: () => Promise<void>;
	/** What it says once it is undone, where that is not that the orders moved back. */
	undone?: string;
}

/** How many orders the service moves at once. */
export const mostAtOnce = 50;
const mostUndone = 20;
/** Another user has moved an order since the version shown. */
const wasMoved = (problem?: Problem) => problem?.reason === 'PLAN_ORDER_MOVED' || problem?.reason === 'PLAN_ORDER_WITH';

export class Moves {
	/** Orders that need a driver. */
	choosing = $state.raw<Place[]>();
	considered = $state.raw<Consideration>();
	busy = $state(false);
	#done = $state.raw<Done[]>([]);
	/** The moves by others that were already announced. */
	#heard = new Map<number, string>();

	constructor(readonly day: Day) {}

	/** What would be undone, in words; empty if there is nothing. */
	get undoable(): string {
		const last = this.#done.at(-1);
		return last ? numbers(last.orders) : '';
	}

	/** Asks for a driver. */
	choose(orders: Place[]): void {
		const movable = orders.filter((order) => !order.begun).slice(0, mostAtOnce);
		if (movable.length) this.choosing = movable;
		else if (orders.length) say(t('day.begun', { number: numbers(orders) }), { kind: 'failed' });
	}

	/** Previews what a move would cost and violate, and shows it. Nothing moves. */
	async consider(orders: Place[], to: Target): Promise<void> {
		const asked: Consideration = { orders: this.#asTheyAre(orders), to };
		this.choosing = undefined;
		this.considered = asked;
		const answered = await this.#askEach(await this.ask(asked.orders, to));
		if (this.considered !== asked) return;
		this.considered = answered;
		if (wasMoved(answered.problem)) await this.#askAnew(answered, answered.problem?.message ?? '');
	}

	/** Repeats the preview with the present state of the orders. */
	considerAgain(): void {
		const { orders, to } = this.considered ?? {};
		const now = orders?.flatMap((order) => this.day.placeOf(order.orderId) ?? []);
		if (now?.length && to) void this.consider(now, to);
		else this.considered = undefined;
	}

	/** Repeats the preview of orders that another user has moved, with the present plan. */
	async #askAnew(before: Consideration, moved: string): Promise<void> {
		const { to, refused } = before;
		const asked: Consideration = { orders: this.#asTheyAre(before.orders), to, moved, ...(refused && { refused }) };
		this.considered = asked;
		const answered = await this.ask(asked.orders, to, await this.#versionNow(asked.orders));
		if (this.considered === asked) this.considered = { ...asked, ...answered };
	}

	#asTheyAre = (orders: Place[]): Place[] => orders.map((order) => this.day.placeOf(order.orderId) ?? order);

	/** The version of the plan by now; that of the board when the service does not answer. */
	async #versionNow(orders: Place[]): Promise<number> {
		const plans = await readPlans(this.day.date).catch(() => this.day.plan.data?.plans ?? []);
		return planOf(plans, orders[0]?.departmentId ?? null)?.version ?? 0;
	}

	/** Previews a move without showing the preview. */
	async ask(orders: Place[], to: Target, version?: number): Promise<Consideration> {
		try {
			return { orders, to, outcome: await this.#move(movesOf(orders, to), orders, { dryRun: true, version }) };
		} catch (error) {
			return { orders, to, problem: this.#refused(error) };
		}
	}

	/**
	 * If several orders are rejected together, previews which ones are, and what the others would
	 * cost and violate.
	 */
	async #askEach(together: Consideration): Promise<Consideration> {
		const { orders, to, problem } = together;
		if (problem?.status !== 409 || orders.length === 1 || wasMoved(problem)) return together;
		const refused: { order: Place; why: string }[] = [];
		for (const order of orders) {
			const alone = await this.ask([order], to);
			if (alone.problem) refused.push({ order, why: alone.problem.message });
		}
		const rest = orders.filter((order) => !refused.some((one) => one.order === order));
		if (rest.length === 0 || refused.length === 0) return { ...together, refused };
		return { ...(await this.ask(rest, to)), refused };
	}

	/** When a driver picks an order up and delivers it, once the page has the plan with the move. */
	timesOf(order: Place, { driverId }: Target): { pickup?: string | undefined; delivery?: string | undefined } {
		const stops = this.day.rows.find((row) => row.driverId === driverId)?.stops ?? [];
		const at = (where: string) => stops.find((stop) => stop.orderId === order.orderId && stop.stop === where)?.eta;
		return { pickup: at('PICKUP'), delivery: at('DELIVERY') };
	}

	/** Remembers an action, so that it can be undone. */
	remember(done: Done): void {
		this.#done = [...this.#done, done].slice(-mostUndone);
	}

	/**
	 * Carries out the previewed move. Returns whether it was done; reports the result for each of
	 * several orders.
	 */
	async carryOut(reason: string): Promise<boolean> {
		const { to, outcome, refused = [] } = this.considered ?? {};
		if (!this.considered || !to || !outcome) return false;
		const orders = this.#asTheyAre(this.considered.orders);
		this.busy = true;
		try {
			const { version } = await this.#move(movesOf(orders, to), orders, { reason, version: outcome.version });
			this.remember({ orders, to, version });
			this.considered = orders.length + refused.length > 1 ? { orders, to, refused, done: true } : undefined;
			say(t('day.moved', { count: orders.length, number: numbers(orders), driver: to.driverName }), {
				action: { label: t('action.undo'), act: () => void this.undo() }
			});
			return true;
		} catch (error) {
			const problem = this.#refused(error);
			this.considered = { orders, to, refused, problem };
			if (wasMoved(problem)) await this.#askAnew(this.considered, problem.message);
			return false;
		} finally {
			this.busy = false;
			await this.day.reload();
		}
	}

	/**
	 * Returns the orders of the last move to where they were, unless another user has moved one of
	 * them since.
	 */
	async undo(): Promise<void> {
		const last = this.#done.at(-1);
		if (!last || this.busy) return;
		this.busy = true;
		this.#done = this.#done.slice(0, -1);
		try {
			await (last.back ? last.back() : this.takeBack(last));
			say(last.undone ?? t('day.undone', { count: last.orders.length, number: numbers(last.orders) }));
		} catch (error) {
			say(t('day.not_undone', { why: asProblem(error).message }), { kind: 'failed' });
		} finally {
			this.busy = false;
			await this.day.reload();
		}
	}

	/** Has the service undo the last step, if it is that of the orders: one may have moved others elsewhere since. */
	async takeBack({ orders }: Pick<Done, 'orders'>): Promise<void> {
		const params = { path: { date: this.day.date } };
		const body = { departmentId: orders[0]?.departmentId ?? null, moves: 1 };
		const would = await ask(api.POST('/v2/plans/{date}/undo', { params, body: { ...body, dryRun: true } }));
		const theirs = new Set(would.orders.map(({ orderId }) => orderId));
		if (theirs.size !== orders.length || !orders.every(({ orderId }) => theirs.has(orderId))) throw new Problem(409, t('day.undo_other'));
		await ask(api.POST('/v2/plans/{date}/undo', { params, body }));
	}

	/** Announces orders that others have moved since the board was read, also during a preview. */
	heard(before: Map<number, Place>, now: Map<number, Place>): void {
		const byOthers = [...now.values()].filter((place) => {
			const was = before.get(place.orderId);
			const { lock } = place;
			if (!was || !lock || lock.lockedBy === `user:${person().user_id}`) return false;
			if (lock.lockedAt === was.lock?.lockedAt || lock.driverId === was.driverId) return false;
			return this.#heard.get(place.orderId) !== lock.lockedAt;
		});
		for (const { orderId, lock } of byOthers) this.#heard.set(orderId, lock?.lockedAt ?? '');
		const together = new Map<string, Place[]>();
		for (const place of byOthers) {
			const key = `${place.lock?.lockedBy}/${place.lock?.driverId}`;
			together.set(key, [...(together.get(key) ?? []), place]);
		}
		for (const places of together.values()) say(movedBy(places));
		const { considered } = this;
		const ours = byOthers.filter(({ orderId }) => considered?.orders.some((order) => order.orderId === orderId));
		if (considered && !considered.done && !considered.moved && ours.length && !this.busy) void this.#askAnew(considered, movedBy(ours));
	}

	/** Locks an order to its driver, or lets planning move it again. */
	async lock(order: Place, wanted: boolean): Promise<void> {
		try {
			await this.#lock(order.orderId, wanted ? order.driverId : null);
			say(t(wanted ? 'day.locked' : 'day.unlocked', { number: order.number }));
		} catch (error) {
			say(asProblem(error).message, { kind: 'failed' });
		} finally {
			await this.day.reload();
		}
	}

	#lock(orderId: number, driverId: number | null) {
		return ask(api.PUT('/v1/orders/{orderId}/driver-lock', { params: { path: { orderId } }, body: { driver_id: driverId } }));
	}

	/** Moves orders by the plan in a version, without one as the board shows it. */
	#move(moves: Schema<'Move'>[], orders: Place[], how: { dryRun?: boolean; reason?: string; version?: number | undefined }) {
		const departmentId = orders[0]?.departmentId ?? null;
		const body: Schema<'MoveOrdersRequest'> = {
			version: how.version ?? planOf(this.day.plan.data?.plans ?? [], departmentId)?.version ?? 0,
			departmentId,
			dryRun: how.dryRun ?? false,
			moves
		};
		if (how.reason) body.reason = how.reason;
		return ask(api.POST('/v2/plans/{date}/moves', { params: { path: { date: this.day.date } }, body }));
	}

	/** Repeats the preview if the plan has changed. */
	#refused(error: unknown): Problem {
		const problem = asProblem(error);
		if (problem.status === 409) void this.day.reload();
		return problem;
	}
}

/** Orders in a few words: the number of a single one, or how many there are. */
export const numbers = (orders: Place[]): string =>
	orders.length === 1 ? (orders[0]?.number ?? '') : t('day.orders_count', { count: orders.length });

const movesOf = (orders: Place[], to: Target): Schema<'Move'>[] =>
	orders.map(({ orderId }) => ({ orderId, driverId: to.driverId }));

/** Who has moved some orders to one driver, in words. */
function movedBy(places: Place[]): string {
	const { lock } = places[0]!;
	const who = lock?.lockedByName ?? t('day.somebody');
	return t('day.moved_by', { number: numbers(places), who, driver: lock?.driverName ?? '' });
}
