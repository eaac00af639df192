// The texts of this app; each language is a separate file, with others for what is loaded later.
import { learn } from '$shared/words.svelte';

learn(
	{
		nb: () => import('$shared/words.nb.gen'),
		en: () => import('$shared/words.en.gen'),
		da: () => import('$shared/words.da.gen')
	},
	{
		parts: {
			nb: () => import('$shared/words.parts.nb.gen'),
			en: () => import('$shared/words.parts.en.gen'),
			da: () => import('$shared/words.parts.da.gen')
		},
		settings: {
			nb: () => import('$shared/words.settings.nb.gen'),
			en: () => import('$shared/words.settings.en.gen'),
			da: () => import('$shared/words.settings.da.gen')
		}
	}
);
