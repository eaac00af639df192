// Words for tests, so that no test depends on the texts of the app.
import { vi } from 'vitest';
import type { Word, Words } from '../../shared/words.gen';
import { learn, speak } from '../../shared/words.svelte';

export async function speaking(words: Partial<Record<keyof Words, Word>>): Promise<void> {
	vi.stubGlobal('document', { ...globalThis.document, documentElement: {} });
	const load = () => Promise.resolve({ default: words });
	learn({ nb: load, en: load, da: load });
	await speak('en');
}
