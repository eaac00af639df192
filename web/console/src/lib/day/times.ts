// Formats times of a day, of which a board has thousands, most of them more
// than once.
import { clock } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { locale } from '$shared/words.svelte';

let said = new Map<string, string>();
let by = '';

/** 10:40, by the clock of the organization. */
export function timeOf(moment: string): string {
	const now = `${locale()} ${zone()}`;
	if (by !== now || said.size > 20_000) said = new Map();
	by = now;
	let text = said.get(moment);
	if (text === undefined) {
		text = clock(moment, zone());
		said.set(moment, text);
	}
	return text;
}
