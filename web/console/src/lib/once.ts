// Idempotency keys.

/**
 * A request to carry out once, however often it is sent: the key stays the same while the request
 * does.
 */
export class Once {
	#asked = '';
	#key = '';

	/** The header for the request. */
	header(what: unknown): { 'Idempotency-Key': string } {
		const asked = JSON.stringify(what);
		if (asked !== this.#asked) [this.#asked, this.#key] = [asked, crypto.randomUUID()];
		return { 'Idempotency-Key': this.#key };
	}

	/** Done. The next identical request gets a new key. */
	done(): void {
		this.#asked = '';
	}
}
