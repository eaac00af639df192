// The state of the day page: its plan, the working drivers, and the exceptions.
// It shows only what the service returned; nothing here imitates a plan.
import type { Schema } from '$shared/api';
import { Loaded } from '$shared/loaded.svelte';
import { beginningOf } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { isOpen } from '$shared/status';
import { queried } from '../query';
import type { Paint } from './colors';
import type { Wish } from './hand/wish';
import { Handover } from './handover.svelte';
import { Moves } from './moves.svelte';
import {
	readExceptions,
	readFigures,
	readPlan,
	readVersions,
	readWorkers,
	versionsOf,
	type DayPlan,
	type Exception,
	type Figures,
	type Worker
} from './plan';
import { rowsOf, type Row } from './rows';

/** The driver who has an order, or nobody if it is unplanned. */
export interface Place {
	orderId: number;
	number: string;
	departmentId: number | null;
	driverId: number | null;
	driverName: string;
	locked: boolean;
	/** The driver to whom it is locked, by whom and why. */
	lock: Schema<'PlanLock'> | null;
	/** The order has begun, so it stays. */
	begun: boolean;
}

export class Day {
	plan = new Loaded<DayPlan>();
	workers = new Loaded<Worker[]>();
	exceptions = new Loaded<Exception[]>();
	/** The key figures, and how much needs attention. */
	figures = new Loaded<Figures>();
	moves = new Moves(this);
	handover = new Handover(this);
	/** What somebody wants to do with a route by hand. */
	wish = $state.raw<Wish>();
	/** The orders that others have changed since a time that somebody looks at; only these stand out. */
	changed = $state.raw<Set<number>>();
	readonly beginning: number;

	#paints = new Map<number, Paint>();
	rows = $derived<Row[]>(rowsOf(this.plan.data?.routes ?? [], this.workers.data ?? [], this.#paints));
	#places = $derived(placesOf(this.plan.data));

	constructor(readonly date: string) {
		this.beginning = beginningOf(date, zone());
	}

	/** The last reading of everything. */
	#loading?: Promise<void>;

	/** Reads everything again. */
	load(): void {
		this.#loading = this.reload();
		void this.readWorkers();
		void this.readFigures();
	}

	/** Reads the drivers who work again. */
	readWorkers = (): Promise<void> => this.workers.load(() => readWorkers(this.date));

	/** Reads what changes during the day; the promise resolves once it is there. */
	async reload(): Promise<void> {
		const before = this.#places;
		await Promise.all([
			this.plan.load(() => readPlan(this.date)),
			this.exceptions.load(() => readExceptions(this.date))
		]);
		this.moves.heard(before, this.#places);
	}

	/** Reads the key figures again, which needs no plan: those of the chosen department, or of all. */
	readFigures = (): Promise<void> => this.figures.load((signal) => readFigures(this.date, queried('dept'), signal));

	#unseen = false;

	/** Whether the last read of the plan failed. No hint comes again for the same change. */
	get missed(): boolean {
		return this.#unseen || this.plan.problem !== undefined;
	}

	/** Reads the plan again when it is another one by now. */
	async look(): Promise<void> {
		await this.#loading; // what happened since it began may be missing from it
		if (!this.plan.data || this.plan.busy) return;
		try {
			const versions = await readVersions(this.date);
			if (this.plan.problem || versions !== versionsOf(this.plan.data.plans)) await this.reload();
			this.#unseen = false;
		} catch {
			this.#unseen = true;
		}
	}

	/** Where an order is in the plan. */
	placeOf = (orderId: number): Place | undefined => this.#places.get(orderId);

	/** The drivers who may have orders of a department. */
	targets = (departmentId: number | null): Row[] => this.rows.filter((row) => row.departmentId === departmentId);
}

function placesOf(plan: DayPlan | undefined): Map<number, Place> {
	const places = new Map<number, Place>();
	for (const { departmentId, driverId, driverName, stops } of plan?.routes ?? []) {
		for (const { orderId, externalId: number, locked, lock, orderStatusId } of stops) {
			const begun = !isOpen(orderStatusId);
			places.set(orderId, { orderId, number, departmentId, driverId, driverName, locked, lock, begun });
		}
	}
	for (const { departmentId, orderId, externalId: number, lock } of plan?.unplanned ?? []) {
		const locked = lock !== null;
		places.set(orderId, { orderId, number, departmentId, driverId: null, driverName: '', locked, lock, begun: false });
	}
	return places;
}
