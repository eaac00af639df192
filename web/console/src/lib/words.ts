// Where the words of this app are; each language is a file of its own.
import { learn } from '$shared/words.svelte';

learn({
	nb: () => import('$shared/words.nb.gen'),
	en: () => import('$shared/words.en.gen'),
	da: () => import('$shared/words.da.gen')
});
