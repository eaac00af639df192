// A service that follows the contract: ids are stored forever, and a repeated
// request gets its first response.
import type { Brought, Heard, Wire } from '../src/lib/outbox/wire';
import type { Picture, Waiting } from '../src/lib/outbox/store';

export class Service implements Wire {
	/** The executed actions by id, in sequence. */
	readonly done = new Map<string, string>();
	readonly pictures = new Map<string, string>();
	requests = 0;
	/** The stop whose actions the service refuses to read. */
	malformed?: number;
	/** After how many actions it ends. */
	stopsAfter = 0;

	async send(actions: Waiting[]): Promise<Heard> {
		this.requests++;
		if (actions.some(({ stopId }) => stopId === this.malformed)) {
			return { kind: 'refused', answer: { outcome: 'REJECTED', reason: 'MALFORMED', text: 'The request is malformed.' } };
		}
		for (const action of actions) {
			const before = this.done.get(action.id);
			if (before !== undefined && before !== action.body) throw new Error(`another body for ${action.id}`);
			this.done.set(action.id, action.body);
			// A service that is stopped has done a part of a batch.
			if (--this.stopsAfter === 0) return { kind: 'later', failure: 'server' };
		}
		return { kind: 'answers', answers: actions.map(() => ({ outcome: 'APPLIED', reason: '', text: '' })) };
	}

	async bring(picture: Picture): Promise<Brought> {
		this.requests++;
		this.pictures.set(picture.sha256, new TextDecoder().decode(picture.bytes));
		return { kind: 'there' };
	}
}
