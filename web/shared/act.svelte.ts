// Something that somebody has done, and how it went.
import { asProblem, type Problem } from './api';
import { confirmed } from './confirm.svelte';
import { say } from './toasts.svelte';

export class Act {
	busy = $state(false);
	problem = $state.raw<Problem>();

	/**
	 * Does it, asking for a fresh sign-in where that is needed. Returns whether it is done; what
	 * went wrong is kept, to be shown where it was asked for.
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

	/** Forgets what went wrong. */
	clear(): void {
		this.problem = undefined;
	}
}
