// The driver's settings on this phone.
import { isLanguage, speak, type Language } from '$shared/words.svelte';
import { likely, navigators, type Navigator } from './navigate';

export const sizes = ['normal', 'large', 'larger', 'largest'] as const;
export type Size = (typeof sizes)[number];

interface Settings {
	navigator: Navigator;
	size: Size;
	sound: boolean;
	/** Whether colors stand out from each other by 7:1; the phone's own wish until the driver chooses. */
	contrast: boolean;
	/** Whether the screen stays on while a route is under way. */
	awake: boolean;
}

const key = 'waybill-driver';
const languageKey = 'waybill-language';

function read(): Settings {
	let kept: Partial<Settings> = {};
	try {
		kept = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Settings>;
	} catch {
		// Written by something else: the default applies.
	}
	return {
		navigator: navigators.find((one) => one === kept.navigator) ?? likely(navigator.userAgent),
		size: sizes.find((one) => one === kept.size) ?? 'normal',
		sound: kept.sound ?? true,
		contrast: kept.contrast ?? matchMedia('(prefers-contrast: more)').matches,
		awake: kept.awake ?? true
	};
}

export const settings = $state(read());

/** Stores the settings, and applies them to the page. */
export function applySettings(): void {
	localStorage.setItem(key, JSON.stringify(settings));
	document.documentElement.dataset['size'] = settings.size;
	document.documentElement.dataset['contrast'] = settings.contrast ? 'high' : 'normal';
}

/** The language that was chosen here, or else that of the phone, if we speak it. */
export function ownLanguage(): Language | undefined {
	const kept = localStorage.getItem(languageKey);
	if (kept && isLanguage(kept)) return kept;
	for (const tag of navigator.languages) {
		const [language = ''] = tag.split('-');
		if (language === 'no' || language === 'nn') return 'nb';
		if (isLanguage(language)) return language;
	}
	return undefined;
}

export const usualLanguage = (): Language => ownLanguage() ?? 'en';

export async function chooseLanguage(tag: string): Promise<void> {
	if (!isLanguage(tag)) return;
	localStorage.setItem(languageKey, tag);
	await speak(tag);
}
