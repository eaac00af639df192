// A service as the contract describes it: ids are kept for ever, and what is sent again
// gets its first answer.
import type { Brought, Heard, Wire } from '../src/lib/outbox/wire';
import type { Picture, Waiting } from '../src/lib/outbox/store';

export class Service implements Wire {
	/** What was done, by the ids of the actions, in the sequence in which it was done. */
	readonly done = new Map<string, string>();
	readonly pictures = new Map<string, string>();
	requests = 0;

	async send(action: Waiting): Promise<Heard> {
		this.requests++;
		const before = this.done.get(action.id);
		if (before !== undefined && before !== action.body) throw new Error(`another body for ${action.id}`);
		this.done.set(action.id, action.body);
		return { kind: 'answer', answer: { outcome: 'APPLIED', reason: '', text: '' } };
	}

	async bring(picture: Picture): Promise<Brought> {
		this.requests++;
		this.pictures.set(picture.sha256, new TextDecoder().decode(picture.bytes));
		return { kind: 'there' };
	}
}
