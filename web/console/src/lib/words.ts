// The texts of this app; each language is a separate file.
import { learn } from '$shared/words.svelte';

learn({
	nb: () => import('$shared/words.nb.gen'),
	en: () => import('$shared/words.en.gen'),
	da: () => import('$shared/words.da.gen')
});
