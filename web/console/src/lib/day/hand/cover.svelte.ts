// Covering for a driver who can't work: the route goes to one driver, or its
// orders to several. Everything is tried first, by the same requests that do it.
import { api, ask, asProblem, type Problem, type Schema } from '$shared/api';
import { Loaded } from '$shared/loaded.svelte';
import { say } from '$shared/toasts.svelte';
import { t } from '$shared/words.svelte';
import { setWorkday } from '../../drivers/workdays';
import type { Day, Place } from '../day.svelte';
import { ordersOf, planOf, type Row } from '../rows';

type HandedOver = Schema<'HandedOverRoute'>;
type Routes = Schema<'ChangedRoute'>[];

/** Orders that one driver would get. */
export interface Share {
	driverId: number;
	driverName: string;
	orderIds: number[];
	outcome: HandedOver;
}

/** What covering would bring, in numbers. */
export interface Figures {
	orders: number;
	left: number;
	lateStops: number;
	drivingSeconds: number;
	meters: number;
}

/** Drivers without a route who are tried; more would take too long. */
const mostTried = 8;
const secondsToSearch = 4;

export class CoverWork {
	/** The drivers who could take the whole route, the best first. */
	givers = new Loaded<Share[]>();
	/** Who would get what if the orders are spread. */
	spread = new Loaded<{ shares: Share[]; figures: Schema<'PlanPreview'> }>();
	/** The driver has not set out, whatever the plan expects by now. */
	notStarted = $state(true);
	busy = $state(false);
	problem = $state.raw<Problem>();
	/** The orders that the driver has not begun. */
	readonly orders: Place[];

	constructor(
		readonly day: Day,
		readonly row: Row
	) {
		this.orders = ordersOf(row).flatMap((id) => day.placeOf(id) ?? []).filter(({ begun }) => !begun);
	}

	/** Asks for both ways. */
	begin = (): void => {
		void this.#ask();
	};

	async #ask(): Promise<void> {
		await this.givers.load(() => this.#tryOne());
		await this.spread.load(() => this.#trySpread());
	}

	/** Tries drivers without a route first, then those with the fewest orders. */
	async #tryOne(): Promise<Share[]> {
		const others = this.day.targets(this.row.departmentId).filter(({ driverId }) => driverId !== this.row.driverId);
		const tried = [...others].sort((a, b) => a.stops.length - b.stops.length).slice(0, mostTried);
		const shares: Share[] = [];
		for (const { driverId, driverName } of tried) {
			const outcome = await this.#tried(driverId);
			if (outcome) shares.push({ driverId, driverName, orderIds: outcome.orderIds, outcome });
		}
		const late = (share: Share) => figuresOf([share]).lateStops;
		return shares.sort((a, b) =>
			a.outcome.left.length - b.outcome.left.length || late(a) - late(b) || a.outcome.cost.drivingSeconds - b.outcome.cost.drivingSeconds);
	}

	/** Has the service plan the day without the driver, and tries to give everybody what they get in that plan. */
	async #trySpread(): Promise<{ shares: Share[]; figures: Schema<'PlanPreview'> }> {
		const { driverId, departmentId } = this.row;
		const path = { date: this.day.date };
		const body = { departmentId, seconds: secondsToSearch, scenario: { off: [driverId] } };
		const figures = await ask(api.POST('/v2/plans/{date}/previews', { params: { path }, body }));
		const wanted = new Set(this.orders.map(({ orderId }) => orderId));
		const shares: Share[] = [];
		for (const route of figures.routes) {
			const stops = route.driverId === driverId ? [] : (route.after?.sequence ?? []);
			const orderIds = [...new Set(stops.map(({ orderId }) => orderId))].filter((id) => wanted.has(id));
			if (orderIds.length === 0) continue;
			const outcome = await this.#tried(route.driverId, orderIds);
			if (outcome?.orderIds.length) shares.push({ driverId: route.driverId, driverName: route.driverName, orderIds: outcome.orderIds, outcome });
		}
		return { shares: shares.sort((a, b) => b.orderIds.length - a.orderIds.length), figures };
	}

	/** What the shares bring together. */
	figures = (shares: Share[]): Figures => {
		const all = figuresOf(shares);
		const own = shares.flatMap(({ outcome }) => outcome.routes).find(({ driverId }) => driverId === this.row.driverId)?.before;
		return {
			...all,
			left: this.orders.length - all.orders,
			drivingSeconds: all.drivingSeconds - (own?.drivingSeconds ?? 0),
			meters: all.meters - (own?.meters ?? 0)
		};
	};

	/** Gives the shares to their drivers and takes the driver off the day. Returns whether all of it was done. */
	async carryOut(shares: Share[]): Promise<boolean> {
		const { driverId, driverName } = this.row;
		const gone: Place[] = [];
		let steps = 0;
		let version = 0;
		let workday: Schema<'Workday'> | undefined;
		this.busy = true;
		this.problem = undefined;
		try {
			workday = await this.#workday();
			for (const share of shares) {
				const done = await this.#handOver(share.driverId, share.orderIds, false, version);
				version = done.version;
				if (!done.applied) continue;
				steps++;
				gone.push(...this.orders.filter(({ orderId }) => done.orderIds.includes(orderId)));
			}
			await setWorkday(driverId, this.day.date, undefined);
			return true;
		} catch (error) {
			this.problem = asProblem(error);
			return false;
		} finally {
			this.#remember(gone, steps, version, workday);
			this.busy = false;
			if (!this.problem) {
				const names = shares.map((share) => share.driverName).join(', ');
				say(t('hand.covered', { driver: driverName, count: gone.length, names }), {
					action: { label: t('action.undo'), act: () => void this.day.moves.undo() }
				});
			}
			await Promise.all([this.day.reload(), this.day.readWorkers()]);
		}
	}

	#remember(orders: Place[], steps: number, version: number, workday: Schema<'Workday'> | undefined): void {
		const { driverId, driverName } = this.row;
		if (orders.length === 0) return;
		const back = async () => {
			if (workday) await setWorkday(driverId, this.day.date, workday);
			await this.day.moves.takeBack({ orders, steps });
			await this.day.readWorkers();
		};
		this.day.moves.remember({ orders, to: this.row, version, steps, back, undone: t('hand.works_again', { driver: driverName }) });
	}

	/** What a driver would get; nothing from one who may not have other orders. */
	async #tried(driverId: number, orderIds?: number[]): Promise<HandedOver | undefined> {
		try {
			return await this.#handOver(driverId, orderIds, true);
		} catch (error) {
			if (asProblem(error).status === 409) return undefined;
			throw error;
		}
	}

	async #workday(): Promise<Schema<'Workday'> | undefined> {
		const { date } = this.day;
		const params = { path: { driverId: this.row.driverId }, query: { start_date: date, end_date: date } };
		return (await ask(api.GET('/v1/drivers/{driverId}/workdays', { params }))).workdays[0];
	}

	#handOver(toDriverId: number, orderIds: number[] | undefined, dryRun: boolean, version = 0): Promise<HandedOver> {
		const { departmentId, driverId: fromDriverId } = this.row;
		const body: Schema<'HandOverRouteRequest'> = {
			version: version || (planOf(this.day.plan.data?.plans ?? [], departmentId)?.version ?? 0),
			departmentId,
			dryRun,
			notStarted: this.notStarted,
			fromDriverId,
			toDriverId
		};
		if (orderIds) body.orderIds = orderIds;
		return ask(api.POST('/v2/plans/{date}/handovers', { params: { path: { date: this.day.date } }, body }));
	}
}

/** What the routes of those who get something gain. */
function figuresOf(shares: Share[]): Figures {
	const routes: Routes = shares.flatMap(({ driverId, outcome }) => outcome.routes.filter((route) => route.driverId === driverId));
	const more = (of: 'drivingSeconds' | 'meters' | 'lateStops') =>
		routes.reduce((sum, { before, after }) => sum + (after?.[of] ?? 0) - (before?.[of] ?? 0), 0);
	return {
		orders: shares.reduce((sum, { orderIds }) => sum + orderIds.length, 0),
		left: 0,
		lateStops: more('lateStops'),
		drivingSeconds: more('drivingSeconds'),
		meters: more('meters')
	};
}
