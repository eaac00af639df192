// A user's action, and its progress.
import { asProblem, type Problem } from './api';
import { confirmed } from './confirm.svelte';
import { say } from './toasts.svelte';

export class Act {
	busy = $state(false);
	problem = $state.raw<Problem>();

	/**
	 * Runs the action, with a new sign-in if required. Returns whether it succeeded; keeps the
	 * error, to be shown next to the action.
	 */
	async run(what: () => Promise<unknown>, done?: string): Promise<boolean> {
		if (this.busy) return false;
		this.busy = true;
		this.problem = undefined;
		try {
			await confirmed(what);
			if (done) say(done);
			return true;
		} catch (error) {
			this.problem = asProblem(error);
			return false;
		} finally {
			this.busy = false;
		}
	}

	/** Clears the error. */
	clear(): void {
		this.problem = undefined;
	}
}
