// What a page shows of the service: the last answer, whether another is under way, and
// what went wrong.
import { asProblem, type Problem } from './api';

export class Loaded<Body> {
	data = $state.raw<Body>();
	problem = $state.raw<Problem>();
	busy = $state(false);
	#turn = 0;
	#asked?: AbortController;

	/**
	 * Asks again. The last answer stays until the next is there. A question that is still under way is
	 * canceled by its signal, and its answer does not count.
	 */
	async load(answer: (signal: AbortSignal) => Promise<Body>): Promise<void> {
		const turn = ++this.#turn;
		this.#asked?.abort();
		const asked = (this.#asked = new AbortController());
		this.busy = true;
		try {
			const got = await answer(asked.signal);
			if (turn !== this.#turn) return;
			this.data = got;
			this.problem = undefined;
		} catch (error) {
			if (turn === this.#turn) this.problem = asProblem(error);
		} finally {
			if (turn === this.#turn) {
				this.busy = false;
				this.#asked = undefined;
			}
		}
	}
}
