// A driver's input at a stop, stored on the phone until it is sent: phones
// close pages while the camera is open, and thumbs go back by mistake.
import { isOver } from '../day/visits';
import { phone } from '../phone.svelte';

const place = 'draft/';

export class Draft {
	readonly #name: string;
	#isOver = false;

	/** The draft of a form at a stop. */
	constructor(stop: number, form: string) {
		this.#name = `${place}${stop}/${form}/`;
	}

	read<Value>(part: string): Promise<Value | undefined> {
		return phone.note<Value>(this.#name + part);
	}

	/** Stores a part of the form. A phone without space keeps the form on the screen only. */
	keep(part: string, value: unknown): void {
		if (!this.#isOver) void phone.keepNote(this.#name + part, value).catch(() => {});
	}

	/** Deletes the draft after sending. */
	async end(): Promise<void> {
		this.#isOver = true;
		await forget(this.#name).catch(() => {});
	}
}

async function forget(begin: string): Promise<void> {
	for (const name of await phone.notes(begin)) await phone.keepNote(name, undefined);
}

/** Forgets the drafts of stops that are over, or are no longer the driver's. */
export async function tidy(): Promise<void> {
	const open = new Set(phone.visits.filter((visit) => !isOver(visit.status)).flatMap((visit) => visit.stops.map((stop) => stop.stopId)));
	for (const name of await phone.notes(place)) {
		if (!open.has(Number(name.split('/')[1]))) await phone.keepNote(name, undefined);
	}
}
