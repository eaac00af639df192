// The texts of this app; each language is a separate file, with another one for parts that are loaded later.
import { learn } from '$shared/words.svelte';

learn(
	{
		nb: () => import('$shared/words.nb.gen'),
		en: () => import('$shared/words.en.gen'),
		da: () => import('$shared/words.da.gen')
	},
	{
		nb: () => import('$shared/words.later.nb.gen'),
		en: () => import('$shared/words.later.en.gen'),
		da: () => import('$shared/words.later.da.gen')
	}
);
