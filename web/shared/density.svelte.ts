// How close the rows of lists are: the user's choice in this browser.
export type Density = 'comfortable' | 'compact';

const key = 'waybill-density';
// Pages are also rendered without a browser, when they are built.
const state = $state<{ density: Density }>({ density: globalThis.localStorage?.getItem(key) === 'compact' ? 'compact' : 'comfortable' });

export const density = (): Density => state.density;

export function chooseDensity(chosen: Density): void {
	state.density = chosen;
	if (chosen === 'compact') localStorage.setItem(key, chosen);
	else localStorage.removeItem(key);
}
