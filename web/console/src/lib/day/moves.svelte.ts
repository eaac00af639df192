// Moves of orders: asked for first, carried out by the service, and undone. An order is
// drawn where the plan has it, and nowhere else.
import { api, ask, asProblem, type Problem, type Schema } from '$shared/api';
import { say } from '$shared/toasts.svelte';
import { t } from '$shared/words.svelte';
import type { Day, Place } from './day.svelte';
import { planOf } from './rows';

/** A driver who may get orders. */
export interface Target {
	driverId: number;
	driverName: string;
}

/** A move that somebody thinks about, with what the service says of it. */
export interface Consideration {
	orders: Place[];
	to: Target;
	outcome?: Schema<'MovedOrders'>;
	problem?: Problem;
	/** Orders that were chosen together with these and cannot be moved there, each with why not. */
	refused?: { order: Place; why: string }[];
	/** Where each order is by the plan, once they were moved. */
	results?: Result[];
}

/** What became of one of several orders. */
export interface Result {
	order: Place;
	/** The target has it now. */
	moved: boolean;
	pickup?: string;
	delivery?: string;
}

/** A move that was carried out, with where the orders were before. */
interface Done {
	orders: Place[];
	to: Target;
}

/** How many orders the service moves at once. */
export const mostAtOnce = 50;
const mostUndone = 20;

export class Moves {
	/** Orders for which a driver is looked for. */
	choosing = $state.raw<Place[]>();
	considered = $state.raw<Consideration>();
	busy = $state(false);
	#done = $state.raw<Done[]>([]);

	constructor(readonly day: Day) {}

	/** What would be undone, in words; empty where there is nothing. */
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

	/** Asks what a move would cost and break, and shows it. Nothing moves. */
	async consider(orders: Place[], to: Target): Promise<void> {
		const asked: Consideration = { orders, to };
		this.choosing = undefined;
		this.considered = asked;
		const answered = await this.#askEach(await this.ask(orders, to));
		if (this.considered === asked) this.considered = answered;
	}

	/** Asks again about what is considered, of the orders as they are by now. */
	considerAgain(): void {
		const { orders, to } = this.considered ?? {};
		const now = orders?.flatMap((order) => this.day.placeOf(order.orderId) ?? []);
		if (now?.length && to) void this.consider(now, to);
		else this.considered = undefined;
	}

	/** Asks what a move would cost and break. Nothing moves, and nothing is shown. */
	async ask(orders: Place[], to: Target): Promise<Consideration> {
		try {
			return { orders, to, outcome: await this.#move(orders, to.driverId, { dryRun: true }) };
		} catch (error) {
			return { orders, to, problem: this.#refused(error) };
		}
	}

	/** Of several orders that are refused together, which ones are, and what the others would cost and break. */
	async #askEach(together: Consideration): Promise<Consideration> {
		const { orders, to, problem } = together;
		if (problem?.status !== 409 || orders.length === 1) return together;
		const refused: { order: Place; why: string }[] = [];
		for (const order of orders) {
			const alone = await this.ask([order], to);
			if (alone.problem) refused.push({ order, why: alone.problem.message });
		}
		const rest = orders.filter((order) => !refused.some((one) => one.order === order));
		if (rest.length === 0 || refused.length === 0) return { ...together, refused };
		return { ...(await this.ask(rest, to)), refused };
	}

	/** Where the plan has an order that was to be moved. */
	#resultOf(order: Place, to: Target): Result {
		const route = (this.day.plan.data?.routes ?? []).find(({ stops }) => stops.some((stop) => stop.orderId === order.orderId));
		const stopAt = (where: string) => route?.stops.find((stop) => stop.orderId === order.orderId && stop.stop === where)?.eta;
		const result: Result = { order, moved: route?.driverId === to.driverId };
		const [pickup, delivery] = [stopAt('PICKUP'), stopAt('DELIVERY')];
		return { ...result, ...(pickup && { pickup }), ...(delivery && { delivery }) };
	}

	/** Carries out what is considered. Reports whether it was done; of several orders it then says of each. */
	async carryOut(reason: string): Promise<boolean> {
		const { orders, to, refused = [] } = this.considered ?? {};
		if (!orders || !to) return false;
		this.busy = true;
		try {
			await this.#move(orders, to.driverId, { reason });
			this.#done = [...this.#done, { orders, to }].slice(-mostUndone);
			if (orders.length + refused.length > 1) {
				await this.day.reload();
				this.considered = { orders, to, refused, results: orders.map((order) => this.#resultOf(order, to)) };
			} else this.considered = undefined;
			say(t('day.moved', { number: numbers(orders), driver: to.driverName }), {
				action: { label: t('action.undo'), act: () => void this.undo() }
			});
			return true;
		} catch (error) {
			this.considered = { orders, to, refused, problem: this.#refused(error) };
			return false;
		} finally {
			this.busy = false;
			await this.day.reload();
		}
	}

	/** Puts the orders of the last move back where they were. */
	async undo(): Promise<void> {
		const last = this.#done.at(-1);
		if (!last || this.busy) return;
		this.busy = true;
		this.#done = this.#done.slice(0, -1);
		try {
			for (const order of last.orders) await this.#putBack(order);
			say(t('day.undone', { number: numbers(last.orders) }));
		} catch (error) {
			say(asProblem(error).message, { kind: 'failed' });
		} finally {
			this.busy = false;
			await this.day.reload();
		}
	}

	async #putBack(order: Place): Promise<void> {
		const { driverId } = order;
		if (driverId !== null) await this.#insist(() => this.#move([order], driverId, { reason: t('day.undone_reason') }));
		if (!order.locked) await this.#lock(order.orderId, null);
	}

	/** Does it on the plan as it is now, and again when planning changed that meanwhile. */
	async #insist(act: () => Promise<unknown>): Promise<void> {
		for (let tries = 3; ; tries--) {
			await this.day.reload();
			try {
				await act();
				return;
			} catch (error) {
				if (asProblem(error).status !== 409 || tries === 1) throw error;
			}
		}
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
		return ask(
			api.PUT('/v1/orders/{orderId}/driver-lock', { params: { path: { orderId } }, body: { driver_id: driverId } })
		);
	}

	#move(orders: Place[], driverId: number, how: { dryRun?: boolean; reason?: string }) {
		const departmentId = orders[0]?.departmentId ?? null;
		const body: Schema<'MoveOrdersRequest'> = {
			version: planOf(this.day.plan.data?.plans ?? [], departmentId)?.version ?? 0,
			departmentId,
			dryRun: how.dryRun ?? false,
			moves: orders.map(({ orderId }) => ({ orderId, driverId }))
		};
		if (how.reason) body.reason = how.reason;
		return ask(api.POST('/v2/plans/{date}/moves', { params: { path: { date: this.day.date } }, body }));
	}

	/** What was refused because the plan is another one by now is looked at anew. */
	#refused(error: unknown): Problem {
		const problem = asProblem(error);
		if (problem.status === 409) void this.day.reload();
		return problem;
	}
}

/** Some orders in few words: the number of one, or how many there are. */
export const numbers = (orders: Place[]): string =>
	orders.length === 1 ? (orders[0]?.number ?? '') : t('day.orders_count', { count: orders.length });
