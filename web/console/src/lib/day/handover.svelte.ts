// Handing a route over to another driver: previewed first, carried out by the
// service, and undone like a move.
import { api, ask, asProblem, type Problem, type Schema } from '$shared/api';
import { say } from '$shared/toasts.svelte';
import { t } from '$shared/words.svelte';
import type { Day, Place } from './day.svelte';
import type { Target } from './moves.svelte';
import { ordersOf, planOf, type Row } from './rows';

/** A possible handover, with its preview. */
export interface Considered {
	from: Target & { departmentId: number | null };
	to: Target;
	/** The driver has not set out, whatever the plan expects by now. */
	notStarted: boolean;
	outcome?: Schema<'HandedOverRoute'>;
	problem?: Problem;
}

export class Handover {
	/** The row of the driver whose route is handed over. */
	choosing = $state.raw<Row>();
	considered = $state.raw<Considered>();
	busy = $state(false);
	/** The orders that are handed over; all of the route without them. */
	#part = $state.raw<number[]>();

	constructor(readonly day: Day) {}

	/** Asks for a driver who takes a route over, or a part of it. */
	choose(row: Row, part?: number[]): void {
		this.#part = part;
		this.choosing = row;
	}

	/** Previews a handover. Nothing moves. */
	async consider(from: Considered['from'], to: Target, notStarted = false): Promise<void> {
		const { driverId, driverName, departmentId } = from;
		const asked: Considered = { from: { driverId, driverName, departmentId }, to, notStarted };
		this.choosing = undefined;
		this.considered = asked;
		const answered = await this.#ask(asked);
		if (this.considered === asked) this.considered = answered;
	}

	/** Repeats the preview. */
	considerAgain(): void {
		const { from, to, notStarted } = this.considered ?? {};
		if (from && to) void this.consider(from, to, notStarted);
	}

	/** Whether orders stay only because by the plan the driver should have begun them. */
	get maybeNotStarted(): boolean {
		const { notStarted, outcome } = this.considered ?? {};
		if (notStarted) return true;
		return Boolean(outcome?.left.some(({ code, orderId }) => code === 'BEGUN' && !this.day.placeOf(orderId)?.begun));
	}

	async #ask(asked: Considered): Promise<Considered> {
		const { from, to, notStarted } = asked;
		try {
			return { ...asked, outcome: await this.#handOver(from, to, { dryRun: true, notStarted }) };
		} catch (error) {
			return { ...asked, problem: this.#refused(error) };
		}
	}

	/** Carries out the previewed handover, and reports the result. */
	async carryOut(): Promise<void> {
		const { from, to, notStarted = false, outcome } = this.considered ?? {};
		if (!from || !to || !outcome) return;
		const before = this.#placesOf(from.driverId);
		this.busy = true;
		try {
			const done = await this.#handOver(from, to, { version: outcome.version, notStarted });
			this.considered = undefined;
			const orders = before.filter((order) => done.orderIds.includes(order.orderId));
			this.day.moves.remember({ orders, to, version: done.version });
			const stay = done.left.length ? ` ${t('day.handed_left', { count: done.left.length, driver: from.driverName })}` : '';
			say(t('day.handed_over', { count: done.orderIds.length, driver: to.driverName }) + stay, {
				action: { label: t('action.undo'), act: () => void this.day.moves.undo() }
			});
		} catch (error) {
			this.considered = { from, to, notStarted, problem: this.#refused(error) };
		} finally {
			this.busy = false;
			await this.day.reload();
		}
	}

	#placesOf(driverId: number): Place[] {
		const row = this.day.rows.find((one) => one.driverId === driverId);
		return row ? ordersOf(row).flatMap((id) => this.day.placeOf(id) ?? []) : [];
	}

	#handOver(
		{ driverId, departmentId }: Considered['from'],
		to: Target,
		how: { version?: number; dryRun?: boolean; notStarted?: boolean }
	) {
		const body: Schema<'HandOverRouteRequest'> = {
			version: how.version ?? planOf(this.day.plan.data?.plans ?? [], departmentId)?.version ?? 0,
			departmentId,
			dryRun: how.dryRun ?? false,
			notStarted: how.notStarted ?? false,
			fromDriverId: driverId,
			toDriverId: to.driverId
		};
		if (this.#part) body.orderIds = this.#part;
		return ask(api.POST('/v2/plans/{date}/handovers', { params: { path: { date: this.day.date } }, body }));
	}

	/** Repeats the preview if the plan has changed. */
	#refused(error: unknown): Problem {
		const problem = asProblem(error);
		if (problem.status === 409) void this.day.reload();
		return problem;
	}
}
