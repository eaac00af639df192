// The ways of a day's routes along streets, and where the vehicles were last.
import { api, ask, type Schema } from '$shared/api';
import { decoded, type Position } from '$shared/polyline';

export type Seen = Schema<'PositionOfDriver'>;

/** A way that a driver has driven, matched to roads. Services from before they had them leave them out. */
interface Driven {
	polyline: string;
	from: string;
	until: string;
}
type Route = Schema<'PlanRoute'> & { driven?: Driven[] | null };

/** The way of each leg of a route, by the sequence of the stop that it leads to. */
type Legs = Map<number, Position[]>;

const pageSize = 200;

/** How often, and how many times at most, ways are read again that are not drawn yet. */
const again = { every: 3000, most: 10 };

/** How often positions are read. */
const positionsEvery = 10_000;

/** How often driven ways are read again while they are shown. */
const drivenEvery = 60_000;

export class Ways {
	#legs = $state.raw(new Map<number, Legs>());
	#driven = $state.raw(new Map<number, Position[][]>());
	seen = $state.raw<Seen[]>([]);
	#timer: ReturnType<typeof setTimeout> | undefined;
	#read = '';

	constructor(readonly date: string) {}

	/** Reads the ways of the plans in these versions, unless they are read already. */
	async follow(versions: string): Promise<void> {
		if (versions === this.#read) return;
		this.#read = versions;
		clearTimeout(this.#timer);
		await this.#load(again.most);
	}

	/** Reads positions from now on. Returns how to stop. */
	watch(): () => void {
		const look = async () => {
			if (document.hidden) return;
			try {
				this.seen = (await ask(api.GET('/v2/plans/{date}/positions', { params: { path: { date: this.date } } }))).items;
			} catch {
				// The next read may succeed. Until then, the age of a position says how old it is.
			}
		};
		void look();
		const timer = setInterval(look, positionsEvery);
		return () => {
			clearInterval(timer);
			clearTimeout(this.#timer);
		};
	}

	/** The way of a leg, if it is known. */
	of = (driverId: number, sequence: number): Position[] | undefined => this.#legs.get(driverId)?.get(sequence);

	/** Reads driven ways again and again. Returns how to stop. */
	watchDriven(): () => void {
		const timer = setInterval(() => !document.hidden && void this.#load(0), drivenEvery);
		return () => clearInterval(timer);
	}

	/** The ways that a driver has driven. */
	driven = (driverId: number): Position[][] => this.#driven.get(driverId) ?? [];

	/** Whether anybody has driven, as far as is known. */
	get hasDriven(): boolean {
		return this.#driven.size > 0;
	}

	async #load(tries: number): Promise<void> {
		try {
			const legs = new Map<number, Legs>();
			const driven = new Map<number, Position[][]>();
			let [token, isWhole] = ['', true];
			for (;;) {
				const page = await ask(
					api.GET('/v2/plans/{date}', {
						params: { path: { date: this.date }, query: { token, pageSize, loads: ['Geometry'] } }
					})
				);
				const asked = page.plans.some((plan) => plan.travel !== 'CROW');
				for (const route of page.routes as Route[]) {
					if (route.driven?.length) driven.set(route.driverId, route.driven.map(({ polyline }) => decoded(polyline)));
					const known: Legs = new Map();
					for (const { sequence, polyline } of route.legs ?? []) {
						if (polyline) known.set(sequence, [...(known.get(sequence) ?? []), ...decoded(polyline)]);
						else if (asked) isWhole = false;
					}
					legs.set(route.driverId, known);
				}
				token = page.nextToken;
				if (!page.hasMore || token.startsWith('u')) break;
			}
			this.#legs = legs;
			this.#driven = driven;
			if (!isWhole && tries > 0) this.#timer = setTimeout(() => void this.#load(tries - 1), again.every);
		} catch {
			// Straight lines stay. A new version of the plan is another try.
		}
	}
}
