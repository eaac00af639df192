// The state of a page is in its URL, so that the URL can be shared.
import { goto } from '$app/navigation';
import { page } from '$app/state';

/** One parameter of the address. */
export const queried = (name: string): string => page.url.searchParams.get(name) ?? '';

/** All values of a parameter that is a list. */
export const queriedAll = (name: string): string[] => queried(name).split(',').filter(Boolean);

/** The URL of this page with changed parameters, without empty ones. */
export function withQuery(changes: Record<string, string>): string {
	const params = new URLSearchParams(page.url.searchParams);
	for (const [name, value] of Object.entries(changes)) {
		if (value) params.set(name, value);
		else params.delete(name);
	}
	const query = params.toString().replaceAll('%2C', ',');
	return page.url.pathname + (query ? `?${query}` : '');
}

/** Changes parameters of the address. A changed filter begins at the first page again. */
export function setQuery(changes: Record<string, string>): void {
	void goto(withQuery({ page: '', token: '', ...changes }), { replaceState: true, keepFocus: true, noScroll: true });
}

/**
 * Notes in the URL which page of a scrolled list is at the top of the screen, so that it is there
 * again after a look at one of its rows. The list does not begin anew: for the router, nothing
 * has changed until somebody comes back.
 */
export function notePage(number: number): void {
	const path = withQuery({ page: number > 1 ? String(number) : '' });
	if (path !== location.pathname + location.search) history.replaceState(history.state, '', path);
}
