// What others changed on a day since a time, read again as the plan changes.
import { api, ask, type Schema } from '$shared/api';
import { Loaded } from '$shared/loaded.svelte';

/** How long changes that come in a row are waited for, in milliseconds. */
const patience = 3000;

export class Since {
	found = new Loaded<Schema<'PlanChanges'>>();
	#waiting: ReturnType<typeof setTimeout> | undefined;

	constructor(readonly date: string) {}

	/** Reads what has changed since a time. */
	read = (since: string): Promise<void> => {
		clearTimeout(this.#waiting);
		const params = { path: { date: this.date }, query: { since } };
		return this.found.load((signal) => ask(api.GET('/v2/plans/{date}/changes', { params, signal })));
	};

	/** Reads again soon, once for changes in a row. */
	readSoon(since: string): void {
		clearTimeout(this.#waiting);
		this.#waiting = setTimeout(() => void this.read(since), patience);
	}

	stop = (): void => clearTimeout(this.#waiting);
}
