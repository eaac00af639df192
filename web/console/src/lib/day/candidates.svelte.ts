// The drivers who could take orders, ranked by the service, and what their routes would be.
import { api, ask, type Schema } from '$shared/api';
import { Loaded } from '$shared/loaded.svelte';
import type { Day, Place } from './day.svelte';
import type { Target } from './moves.svelte';

/** A driver in the list, with the price if it is known. */
export interface Priced {
	driverId: number;
	cost?: { drivingSeconds: number; waitingSeconds: number; meters: number };
	lateOrders: number;
	lateSeconds: number;
	/** What the orders would break besides time windows. */
	breaks: string[];
	/** How many of the orders the driver can take. */
	takes: number;
	/** Why the driver can't have the order. */
	refusal?: string;
}

/** How many drivers are compared for several orders. */
const mostTogether = 8;
/** How long the pointer rests on a driver before the route is asked for, in milliseconds. */
const rest = 200;

export class Candidates {
	ranked = new Loaded<Priced[]>();
	/** The driver whose route is shown, and the routes that the move would change. */
	shown = $state.raw<{ driverId: number; routes: Schema<'ChangedRoute'>[] }>();
	#known = new Map<number, Schema<'ChangedRoute'>[]>();
	#waiting: ReturnType<typeof setTimeout> | undefined;

	constructor(readonly day: Day, readonly orders: Place[]) {}

	load(): void {
		const departmentId = this.orders[0]?.departmentId;
		const department = departmentId ? { departmentId } : {};
		const ids = this.orders.map((order) => order.orderId);
		const [orderId] = ids;
		if (orderId === undefined) return;
		const path = { date: this.day.date };
		void this.ranked.load(async (signal) => {
			if (ids.length === 1) {
				const query = { orderId, ...department };
				const { candidates } = await ask(api.GET('/v2/plans/{date}/candidates', { params: { path, query }, signal }));
				return candidates.map(pricedOne);
			}
			const query = { orderIds: ids, limit: mostTogether, ...department };
			const { drivers } = await ask(api.GET('/v2/plans/{date}/candidates/together', { params: { path, query }, signal }));
			return drivers.map(pricedTogether);
		});
	}

	/** Shows on the map what the move to a driver would change, once the pointer rests there. */
	look(to: Target): void {
		clearTimeout(this.#waiting);
		const known = this.#known.get(to.driverId);
		if (known) {
			this.shown = { driverId: to.driverId, routes: known };
			return;
		}
		this.#waiting = setTimeout(async () => {
			const { outcome } = await this.day.moves.ask(this.orders, to);
			if (!outcome) return;
			this.#known.set(to.driverId, outcome.routes);
			this.shown = { driverId: to.driverId, routes: outcome.routes };
		}, rest);
	}

	/** Asks for no more routes. */
	stop(): void {
		clearTimeout(this.#waiting);
	}
}

const isLate = ({ code }: Schema<'MoveBreak'>) => code === 'LATE';

function pricedOne(one: Schema<'DriverCandidate'>): Priced {
	const late = one.breaks.filter(isLate).map(({ bySeconds }) => bySeconds ?? 0);
	return {
		driverId: one.driverId,
		...(one.cost && { cost: one.cost }),
		lateOrders: late.length ? 1 : 0,
		lateSeconds: Math.max(0, ...late),
		breaks: one.breaks.filter((broken) => !isLate(broken)).map(({ text }) => text),
		takes: one.refusal ? 0 : 1,
		...(one.refusal && { refusal: one.refusal.text })
	};
}

const pricedTogether = (one: Schema<'DriverForOrders'>): Priced => ({
	driverId: one.driverId,
	cost: one.cost,
	lateOrders: one.lateOrders,
	lateSeconds: one.mostLateSeconds,
	breaks: one.breaks.filter((broken) => !isLate(broken)).slice(0, 1).map(({ text }) => text),
	takes: one.takes.length
});
