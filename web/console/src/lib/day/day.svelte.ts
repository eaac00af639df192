// What the page of a day works with: its plan, what is chosen of it, and moves.
import { api, ask, asProblem, type Problem, type Schema } from '$shared/api';
import { Loaded } from '$shared/loaded.svelte';
import { beginningOf } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { say } from '$shared/toasts.svelte';
import { t } from '$shared/words.svelte';
import { readExceptions, readPlan, type DayPlan, type Exception, type Route } from './plan';

/** Where an order is now; nobody's while it is not planned. */
export interface Place {
	orderId: number;
	number: string;
	departmentId: number | null;
	driverId: number | null;
	driverName: string;
	locked: boolean;
}

/** A driver who may get an order. */
export interface Target {
	driverId: number;
	name: string;
}

/** A move that somebody thinks about, with what the service says of it. */
export interface Consideration {
	order: Place;
	to: Target;
	outcome?: Schema<'MovedOrders'>;
	problem?: Problem;
}

export class Day {
	plan = new Loaded<DayPlan>();
	exceptions = new Loaded<Exception[]>();
	drivers = new Loaded<Schema<'Driver'>[]>();
	considered = $state.raw<Consideration>();
	moving = $state(false);

	constructor(readonly date: string) {}

	/** The first moment of the day, in milliseconds. */
	get beginning(): number {
		return beginningOf(this.date, zone());
	}

	load(): void {
		void this.plan.load(() => readPlan(this.date));
		void this.exceptions.load(() => readExceptions(this.date));
	}

	/** Where an order is in the plan. */
	placeOf(orderId: number): Place | undefined {
		for (const route of this.plan.data?.routes ?? []) {
			const stop = route.stops.find((one) => one.orderId === orderId);
			if (stop) {
				const { departmentId, driverId, driverName } = route;
				return { orderId, number: stop.externalId, departmentId, driverId, driverName, locked: stop.locked };
			}
		}
		const left = this.plan.data?.unplanned.find((one) => one.orderId === orderId);
		if (!left) return undefined;
		const { departmentId, externalId: number } = left;
		return { orderId, number, departmentId, driverId: null, driverName: '', locked: false };
	}

	/** Who may get orders of a department: those with a route first, then the others who drive for it. */
	targets(departmentId: number | null): Target[] {
		const busy = (this.plan.data?.routes ?? []).filter((route) => route.departmentId === departmentId);
		const known = new Set(busy.map((route) => route.driverId));
		const idle = (this.drivers.data ?? []).filter(
			(driver) => driver.department_id === departmentId && !known.has(driver.id)
		);
		return [
			...busy.map((route) => ({ driverId: route.driverId, name: route.driverName })),
			...idle.map((driver) => ({ driverId: driver.id, name: driver.name }))
		];
	}

	async loadDrivers(): Promise<void> {
		await this.drivers.load(async () => {
			const page = await ask(api.GET('/v1/drivers', { params: { query: { is_active: true, limit: 200 } } }));
			return page.items;
		});
	}

	/** Asks what a move would cost and break. Nothing moves. */
	async consider(order: Place, to: Target): Promise<Consideration> {
		const consideration: Consideration = { order, to };
		this.considered = consideration;
		try {
			const outcome = await this.#move(order, to.driverId, { dryRun: true });
			return this.#answered(consideration, { ...consideration, outcome });
		} catch (error) {
			return this.#answered(consideration, { ...consideration, problem: this.#refused(error) });
		}
	}

	#answered(asked: Consideration, answered: Consideration): Consideration {
		if (this.considered === asked) this.considered = answered;
		return answered;
	}

	/** Carries out the move that is considered. */
	async carryOut(reason: string): Promise<boolean> {
		const consideration = this.considered;
		if (!consideration) return false;
		const { order, to } = consideration;
		this.moving = true;
		try {
			await this.#move(order, to.driverId, { reason });
			this.considered = undefined;
			say(t('day.moved', { number: order.number, driver: to.name }), {
				action: { label: t('action.undo'), act: () => void this.undo(order, to) }
			});
			return true;
		} catch (error) {
			this.considered = { ...consideration, problem: this.#refused(error) };
			return false;
		} finally {
			this.moving = false;
			this.load();
		}
	}

	/** Puts an order back where it was before a move. */
	async undo(order: Place, from: Target): Promise<void> {
		try {
			if (order.driverId !== null) {
				await this.plan.load(() => readPlan(this.date));
				await this.#move({ ...order, driverId: from.driverId }, order.driverId, { reason: t('day.undone_reason') });
			}
			if (!order.locked) await this.#lock(order.orderId, null);
			say(t('day.undone', { number: order.number }));
		} catch (error) {
			say(this.#refused(error).message, { kind: 'failed' });
		} finally {
			this.load();
		}
	}

	/** Locks an order to a driver, or lets planning move it again. */
	async lock(order: Place, driverId: number | null): Promise<void> {
		try {
			await this.#lock(order.orderId, driverId);
			say(t(driverId === null ? 'day.unlocked' : 'day.locked', { number: order.number }));
		} catch (error) {
			say(asProblem(error).message, { kind: 'failed' });
		} finally {
			this.load();
		}
	}

	#lock(orderId: number, driverId: number | null) {
		return ask(
			api.PUT('/v1/orders/{orderId}/driver-lock', {
				params: { path: { orderId } },
				body: { driver_id: driverId }
			})
		);
	}

	#move(order: Place, driverId: number, how: { dryRun?: boolean; reason?: string }) {
		const plan = this.plan.data?.plans.find((one) => one.departmentId === order.departmentId);
		const body: Schema<'MoveOrdersRequest'> = {
			version: plan?.version ?? 0,
			departmentId: order.departmentId,
			dryRun: how.dryRun ?? false,
			moves: [{ orderId: order.orderId, driverId }]
		};
		if (how.reason) body.reason = how.reason;
		return ask(api.POST('/v2/plans/{date}/moves', { params: { path: { date: this.date } }, body }));
	}

	/** What was refused because the plan is another one by now is looked at anew. */
	#refused(error: unknown): Problem {
		const problem = asProblem(error);
		if (problem.status === 409) this.load();
		return problem;
	}
}

/** How many orders a route carries. */
export const ordersOf = (route: Route): number => new Set(route.stops.map((stop) => stop.orderId)).size;
