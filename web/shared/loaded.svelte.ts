// A page's data from the service: the last response, whether a request is in
// progress, and the error.
import { asProblem, type Problem } from './api';

export class Loaded<Body> {
	data = $state.raw<Body>();
	problem = $state.raw<Problem>();
	busy = $state(false);
	#turn = 0;
	#asked?: AbortController;

	/**
	 * Requests again. The last response stays until the next arrives. A request in progress is
	 * cancelled by its signal, and its response is ignored.
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
