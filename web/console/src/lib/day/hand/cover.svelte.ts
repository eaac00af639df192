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
type Spread = Schema<'SpreadRoute'>;

/** What others have taken. */
interface Taken {
	applied: boolean;
	version: number;
	orderIds: number[];
	names: string[];
}

/** What one driver would get. */
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

export class CoverWork {
	/** The drivers who could take the whole route, the best first. */
	givers = new Loaded<Share[]>();
	/** Who would get what if the orders are spread. */
	spread = new Loaded<Spread>();
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
		const late = (share: Share) => this.givenTo(share).lateStops;
		return shares.sort((a, b) =>
			a.outcome.left.length - b.outcome.left.length || late(a) - late(b) || a.outcome.cost.drivingSeconds - b.outcome.cost.drivingSeconds);
	}

	/** What the orders would bring with the drivers with whom they cost least together. */
	#trySpread(): Promise<Spread> {
		return this.#spreadOut(true);
	}

	/** What one driver with the route brings. */
	givenTo = (share: Share): Figures => this.#figures(share.orderIds.length, share.outcome.routes);

	/** What several drivers with its orders bring. */
	spreadOver = ({ shares, routes }: Spread): Figures => this.#figures(shares.reduce((sum, { orderIds }) => sum + orderIds.length, 0), routes);

	#figures(orders: number, routes: Routes): Figures {
		const more = (of: 'drivingSeconds' | 'meters' | 'lateStops') => routes.reduce((sum, { before, after }) => sum + (after?.[of] ?? 0) - (before?.[of] ?? 0), 0);
		const own = routes.find(({ driverId }) => driverId === this.row.driverId);
		return {
			orders,
			left: this.orders.length - orders,
			lateStops: more('lateStops') - (own?.after?.lateStops ?? 0) + (own?.before?.lateStops ?? 0),
			drivingSeconds: more('drivingSeconds') - (own?.after?.drivingSeconds ?? 0),
			meters: more('meters') - (own?.after?.meters ?? 0)
		};
	}

	/** Gives the route to a driver. */
	give = (share: Share): Promise<boolean> =>
		this.#carryOut(async () => {
			const { applied, version, orderIds } = await this.#handOver(share.driverId, share.orderIds, false);
			return { applied, version, orderIds, names: [share.driverName] };
		});

	/** Gives the orders to several drivers, in one step. */
	spreadThem = (): Promise<boolean> =>
		this.#carryOut(async () => {
			const { applied, version, shares } = await this.#spreadOut(false);
			return { applied, version, orderIds: shares.flatMap((share) => share.orderIds), names: shares.map((share) => share.driverName) };
		});

	/** Has others take the orders, and takes the driver off the day. Returns whether all of it was done. */
	async #carryOut(act: () => Promise<Taken>): Promise<boolean> {
		const { driverId, driverName } = this.row;
		let taken: Taken | undefined;
		let workday: Schema<'Workday'> | undefined;
		this.busy = true;
		this.problem = undefined;
		try {
			workday = await this.#workday();
			taken = await act();
			await setWorkday(driverId, this.day.date, undefined);
			return true;
		} catch (error) {
			this.problem = asProblem(error);
			return false;
		} finally {
			const gone = this.orders.filter(({ orderId }) => taken?.applied && taken.orderIds.includes(orderId));
			this.#remember(gone, taken?.version ?? 0, workday);
			this.busy = false;
			if (taken && !this.problem) {
				say(t('hand.covered', { driver: driverName, count: gone.length, names: taken.names.join(', ') }), {
					action: { label: t('action.undo'), act: () => void this.day.moves.undo() }
				});
			}
			await Promise.all([this.day.reload(), this.day.readWorkers()]);
		}
	}

	#remember(orders: Place[], version: number, workday: Schema<'Workday'> | undefined): void {
		const { driverId, driverName } = this.row;
		if (orders.length === 0) return;
		const back = async () => {
			if (workday) await setWorkday(driverId, this.day.date, workday);
			await this.day.moves.takeBack({ orders });
			await this.day.readWorkers();
		};
		this.day.moves.remember({ orders, to: this.row, version, back, undone: t('hand.works_again', { driver: driverName }) });
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

	#asked(dryRun: boolean): Schema<'SpreadRouteRequest'> {
		const { departmentId, driverId } = this.row;
		const version = planOf(this.day.plan.data?.plans ?? [], departmentId)?.version ?? 0;
		return { version, departmentId, dryRun, notStarted: this.notStarted, fromDriverId: driverId };
	}

	#spreadOut(dryRun: boolean): Promise<Spread> {
		return ask(api.POST('/v2/plans/{date}/spreads', { params: { path: { date: this.day.date } }, body: this.#asked(dryRun) }));
	}

	#handOver(toDriverId: number, orderIds: number[] | undefined, dryRun: boolean): Promise<HandedOver> {
		const body: Schema<'HandOverRouteRequest'> = { ...this.#asked(dryRun), toDriverId };
		if (orderIds) body.orderIds = orderIds;
		return ask(api.POST('/v2/plans/{date}/handovers', { params: { path: { date: this.day.date } }, body }));
	}
}
