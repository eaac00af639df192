// What a page shows of the service: the last answer, whether another is under way, and
// what went wrong.
import { asProblem, type Problem } from './api';

export class Loaded<Body> {
	data = $state.raw<Body>();
	problem = $state.raw<Problem>();
	busy = $state(false);
	#turn = 0;

	/** Asks anew. The last answer stays until the next is there; of answers that cross, the last question's counts. */
	async load(answer: () => Promise<Body>): Promise<void> {
		const turn = ++this.#turn;
		this.busy = true;
		try {
			const got = await answer();
			if (turn !== this.#turn) return;
			this.data = got;
			this.problem = undefined;
		} catch (error) {
			if (turn === this.#turn) this.problem = asProblem(error);
		} finally {
			if (turn === this.#turn) this.busy = false;
		}
	}
}
