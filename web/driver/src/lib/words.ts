// Where the words of this app are; each language is a file of its own.
import { learn } from '$shared/words.svelte';

learn({
	nb: () => import('$shared/words.driver.nb.gen'),
	en: () => import('$shared/words.driver.en.gen'),
	da: () => import('$shared/words.driver.da.gen')
});
