// Country codes, also by name.
import { languages } from '$shared/words.svelte';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const named = (tag: string) => new Intl.DisplayNames([tag], { type: 'region', fallback: 'none' });

/** Whether two letters are those of a country. */
export const isCountry = (code: string): boolean => /^[A-Z]{2}$/.test(code) && named('en').of(code) !== undefined;

let known: Map<string, string> | undefined;

function names(): Map<string, string> {
	const all = new Map<string, string>();
	for (const names of languages.map(named)) {
		for (const code of letters.flatMap((one) => letters.map((two) => one + two))) {
			const name = names.of(code)?.toLowerCase();
			if (name && !all.has(name)) all.set(name, code);
		}
	}
	return all;
}

/** The code of a typed country: NO for no, Norge and Norway. Unknown text is unchanged. */
export function countryOf(text: string): string {
	const written = text.trim();
	if (/^[a-z]{2}$/i.test(written)) return written.toUpperCase();
	return (known ??= names()).get(written.toLowerCase()) ?? written;
}
