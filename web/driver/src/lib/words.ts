// The texts of this app; each language is a separate file.
import { learn } from '$shared/words.svelte';

learn({
	nb: () => import('$shared/words.driver.nb.gen'),
	en: () => import('$shared/words.driver.en.gen'),
	da: () => import('$shared/words.driver.da.gen')
});
