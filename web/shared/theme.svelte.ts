// Light or dark: the system's preference, or the user's choice in this browser.
export type Theme = 'light' | 'dark' | '';

const key = 'waybill-theme';
const state = $state<{ theme: Theme }>({ theme: (localStorage.getItem(key) as Theme | null) ?? '' });

export const theme = (): Theme => state.theme;

export function chooseTheme(chosen: Theme): void {
	state.theme = chosen;
	if (chosen) {
		document.documentElement.dataset['theme'] = chosen;
		localStorage.setItem(key, chosen);
	} else {
		delete document.documentElement.dataset['theme'];
		localStorage.removeItem(key);
	}
}
