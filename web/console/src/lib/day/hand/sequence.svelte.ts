// Keeping a sequence of stops: tried first, held by the service, undone and released.
import { api, ask, asProblem, type Problem, type Schema } from '$shared/api';
import { say } from '$shared/toasts.svelte';
import { t } from '$shared/words.svelte';
import type { Day } from '../day.svelte';
import { stopKey, type PlannedStop } from '../plan';
import { ordersOf, planOf, type Row } from '../rows';
import { arranged, heldKey, heldStops, isSame, toHold } from './sequence';
import type { Placing } from './wish';

type Outcome = Schema<'HeldRoute'>;

export class SequenceWork {
	/** The stops that can be put into another sequence, in the present one; unknown until the service has said it. */
	open = $state.raw<PlannedStop[]>();
	placing = $state.raw<Placing>();
	/** The driver gets no other orders. */
	closed = $state(false);
	outcome = $state.raw<Outcome>();
	problem = $state.raw<Problem>();
	busy = $state(false);
	#turn = 0;

	constructor(
		readonly day: Day,
		readonly row: Row,
		readonly stop: string | undefined
	) {
		this.closed = row.route?.hold?.closed ?? false;
	}

	/** The stop that gets another place. */
	readonly moved = $derived.by(() => this.row.stops.find((one) => stopKey(one) === this.stop));

	/** Whether the sequence is the one that the route has. */
	readonly changes = $derived.by(() => {
		const { open, placing } = this;
		if (!open || !placing) return false;
		return placing.where === 'hold' || !isSame(this.#arranged(open, placing), open);
	});

	/** Asks which stops are open, and what a sequence costs if one is chosen. */
	async begin(placing?: Placing): Promise<void> {
		await this.#asked(async () => {
			const { stops } = await this.#hold({ dryRun: true });
			const byKey = new Map(this.row.stops.map((one) => [stopKey(one), one]));
			this.open = stops.flatMap((one) => byKey.get(heldKey(one)) ?? []);
		});
		if (placing) await this.consider(placing);
	}

	/** Asks what a sequence would cost. Nothing changes. */
	async consider(placing: Placing): Promise<void> {
		this.placing = placing;
		this.outcome = undefined;
		const { open } = this;
		if (!open || !this.changes) return;
		await this.#asked(async (isLast) => {
			const outcome = await this.#hold({ dryRun: true, stops: this.#toHold(open, placing) });
			if (isLast()) this.outcome = outcome;
		});
	}

	/** Tries again after a failure. */
	again = (): void => void (this.open ? this.placing && this.consider(this.placing) : this.begin(this.placing));

	/** Holds the tried sequence. Returns whether it was done. */
	async keep(reason: string): Promise<boolean> {
		const { open, placing, outcome, row } = this;
		if (!open || !placing || !outcome) return false;
		const { driverName: driver } = row;
		return this.#asked(async () => {
			const { version } = await this.#hold({ version: outcome.version, stops: this.#toHold(open, placing), closed: this.closed, reason });
			this.day.moves.remember({
				orders: this.#orders(), to: row, version, back: () => this.#back(open), undone: t('hand.as_before', { driver })
			});
			say(t('hand.kept', { driver }), { action: { label: t('action.undo'), act: () => void this.day.moves.undo() } });
			void this.day.reload();
		});
	}

	/** Ends the hold of the route. */
	async release(): Promise<boolean> {
		const { hold } = this.row.route ?? {};
		const { driverName: driver } = this.row;
		return this.#asked(async () => {
			await this.#release();
			if (hold) {
				this.day.moves.remember({
					orders: this.#orders(), to: this.row, version: 0, undone: t('hand.kept', { driver }),
					back: async () => void (await this.#hold({ stops: hold.stops, closed: hold.closed, reason: t('day.undone_reason') }))
				});
			}
			say(t('hand.released', { driver }), { action: { label: t('action.undo'), act: () => void this.day.moves.undo() } });
			void this.day.reload();
		});
	}

	/** The former sequence, and the former hold or none. */
	async #back(open: PlannedStop[]): Promise<void> {
		const { hold } = this.row.route ?? {};
		const reason = t('day.undone_reason');
		await this.#hold({ stops: heldStops(open), reason });
		if (hold) await this.#hold({ stops: hold.stops, closed: hold.closed, reason });
		else await this.#release();
	}

	#arranged = (open: PlannedStop[], placing: Placing) => arranged(open, this.stop, placing);

	#toHold(open: PlannedStop[], placing: Placing): Schema<'HeldStop'>[] {
		const isWhole = placing.where === 'reverse' || placing.where === 'hold';
		return heldStops(toHold(this.#arranged(open, placing), isWhole ? undefined : this.stop, this.row.route?.hold?.stops ?? []));
	}

	#orders() {
		const ids = this.moved && this.placing?.where !== 'reverse' && this.placing?.where !== 'hold' ? [this.moved.orderId] : ordersOf(this.row);
		return ids.flatMap((id) => this.day.placeOf(id) ?? []);
	}

	#hold(how: { version?: number; dryRun?: boolean; stops?: Schema<'HeldStop'>[]; closed?: boolean; reason?: string }): Promise<Outcome> {
		const { departmentId, driverId } = this.row;
		const body: Schema<'HoldRouteRequest'> = {
			version: how.version ?? planOf(this.day.plan.data?.plans ?? [], departmentId)?.version ?? 0,
			departmentId,
			driverId,
			dryRun: how.dryRun ?? false
		};
		if (how.stops) Object.assign(body, { stops: how.stops, closed: how.closed ?? false });
		if (how.reason) body.reason = how.reason;
		return ask(api.POST('/v2/plans/{date}/holds', { params: { path: { date: this.day.date } }, body }));
	}

	#release(): Promise<unknown> {
		const { departmentId, driverId } = this.row;
		const query = departmentId === null ? {} : { departmentId };
		return ask(api.DELETE('/v2/plans/{date}/holds/{driverId}', { params: { path: { date: this.day.date, driverId }, query } }));
	}

	/** Asks the service; only the last question counts. Returns whether it was answered. */
	async #asked(what: (isLast: () => boolean) => Promise<void>): Promise<boolean> {
		const turn = ++this.#turn;
		const isLast = () => turn === this.#turn;
		this.busy = true;
		this.problem = undefined;
		try {
			await what(isLast);
			return true;
		} catch (error) {
			const problem = asProblem(error);
			if (problem.status === 409) void this.day.reload();
			if (isLast()) this.problem = problem;
			return false;
		} finally {
			if (isLast()) this.busy = false;
		}
	}
}
