// Saved views: the URL parameters of a list, under a name. They are stored in
// the browser, separately for each user.
import { person } from '$shared/session.svelte';

export interface View {
	name: string;
	/** The query of the address, without its question mark. */
	query: string;
}

const keyOf = (page: string) => `waybill-views ${person().organization} ${person().email} ${page}`;

/** The saved views of one page. */
export class SavedViews {
	all = $state.raw<View[]>([]);
	readonly #key: string;

	constructor(page: string) {
		this.#key = keyOf(page);
		try {
			this.all = JSON.parse(localStorage.getItem(this.#key) ?? '[]') as View[];
		} catch {
			this.all = []; // written by something else
		}
	}

	/** Saves a view, in the place of one of the same name. */
	save(view: View): void {
		this.#keep([...this.all.filter(({ name }) => name !== view.name), view].sort((a, b) => a.name.localeCompare(b.name)));
	}

	forget(view: View): void {
		this.#keep(this.all.filter(({ name }) => name !== view.name));
	}

	#keep(views: View[]): void {
		this.all = views;
		localStorage.setItem(this.#key, JSON.stringify(views));
	}
}
