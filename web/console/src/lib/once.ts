// Keys by which the service knows that a request comes again.

/** What is asked for once, however often it is sent: the key stays while what is asked for does. */
export class Once {
	#asked = '';
	#key = '';

	/** The header that goes with what is asked for. */
	header(what: unknown): { 'Idempotency-Key': string } {
		const asked = JSON.stringify(what);
		if (asked !== this.#asked) [this.#asked, this.#key] = [asked, crypto.randomUUID()];
		return { 'Idempotency-Key': this.#key };
	}

	/** It is done; the same once more is something else. */
	done(): void {
		this.#asked = '';
	}
}
