// A long list that is read page by page while it is scrolled.
import { asProblem, type Problem } from '$shared/api';

/** One page of a list, and how long the list is. */
export interface PageOfList<Row> {
	rows: Row[];
	total: number;
	pages: number;
}

type Read<Row, Answer extends PageOfList<Row>> = (page: number, signal: AbortSignal) => Promise<Answer>;

/**
 * The pages of a list. A page is read when it comes near the screen, and again when it does after
 * something has changed. Pages far from the screen keep what they had.
 */
export class Pages<Row, Answer extends PageOfList<Row> = PageOfList<Row>> {
	/** The page that was read last. */
	latest = $state.raw<Answer>();
	problem = $state.raw<Problem>();
	busy = $state(false);
	#rows = $state.raw(new Map<number, Row[]>());
	#near = $state.raw(new Set<number>());
	#old = new Set<number>();
	#reading = new Map<number, AbortController>();
	#read?: Read<Row, Answer>;

	readonly count = $derived(this.latest?.pages ?? 0);
	readonly rows = $derived([...this.#rows].sort(([a], [b]) => a - b).flatMap(([, rows]) => rows));

	/** The rows of a page, from 1, if it is near the screen and has been read. */
	shown = (page: number): Row[] | undefined => (this.#near.has(page) ? this.#rows.get(page) : undefined);

	/** Begins another list at a page. */
	async begin(first: number, read: Read<Row, Answer>): Promise<void> {
		for (const reading of this.#reading.values()) reading.abort();
		this.#reading.clear();
		this.#old.clear();
		this.#read = read;
		this.#near = new Set([first]);
		await this.#load(first, () => (this.#rows = new Map()));
	}

	/** Reads the pages near the screen again, and the others when they come near it. */
	async again(): Promise<void> {
		this.#old = new Set(this.#rows.keys());
		await Promise.all([...this.#near].map((page) => this.#load(page)));
	}

	/** Says whether a page is near the screen. */
	see = (page: number, near: boolean): void => {
		if (this.#near.has(page) === near) return;
		const next = new Set(this.#near);
		if (near) next.add(page);
		else next.delete(page);
		this.#near = next;
		if (near && (!this.#rows.has(page) || this.#old.has(page))) void this.#load(page);
		else if (!near) this.#reading.get(page)?.abort();
	};

	async #load(page: number, first?: () => void): Promise<void> {
		const read = this.#read;
		if (!read) return;
		this.#reading.get(page)?.abort();
		const reading = new AbortController();
		this.#reading.set(page, reading);
		this.busy = true;
		try {
			const answer = await read(page, reading.signal);
			if (reading.signal.aborted) return;
			first?.();
			this.#rows = new Map(this.#rows).set(page, answer.rows);
			for (const gone of this.#rows.keys()) if (gone > Math.max(1, answer.pages)) this.#rows.delete(gone);
			this.#old.delete(page);
			this.latest = answer;
			this.problem = undefined;
		} catch (error) {
			if (!reading.signal.aborted) this.problem = asProblem(error);
		} finally {
			if (this.#reading.get(page) === reading) this.#reading.delete(page);
			this.busy = this.#reading.size > 0;
		}
	}
}
