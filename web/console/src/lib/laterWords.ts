// The texts of what is loaded later, such as the key figures and alerts of a day.
import { learnMore } from '$shared/words.svelte';

/** Loads them; await it before one of them is shown. */
export const laterWords = (): Promise<void> =>
	learnMore({
		nb: () => import('$shared/words.later.nb.gen'),
		en: () => import('$shared/words.later.en.gen'),
		da: () => import('$shared/words.later.da.gen')
	});
