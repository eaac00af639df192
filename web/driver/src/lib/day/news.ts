// The texts for changes of routes.
import { t } from '$shared/words.svelte';
import { kinds, type Change } from './changes';

const mostNames = 3;

/** The changes in words: removals first, and by name. */
export function newsOf(changes: Change[]): string {
	const next = changes.find((change) => change.isNext);
	const told = kinds.flatMap((what) => {
		const all = changes.filter((change) => change.what === what);
		if (!all.length) return [];
		const count = countOf(what, all.length);
		return what === 'moved' || what === 'time' ? [count] : [`${count} (${namesOf(all)})`];
	});
	return [...told, ...(next ? [t('phone.news_next', { place: next.stop.name })] : [])].join(' · ');
}

function countOf(what: Change['what'], count: number): string {
	switch (what) {
		case 'cancelled':
			return t('phone.news_cancelled', { count });
		case 'came':
			return t('phone.news_came', { count });
		case 'went':
			return t('phone.news_went', { count });
		case 'moved':
			return t('phone.news_moved', { count });
		case 'time':
			return t('phone.news_time', { count });
	}
}

function namesOf(all: Change[]): string {
	const names = all.map((change) => change.stop.name);
	return names.slice(0, mostNames).join(', ') + (names.length > mostNames ? ', …' : '');
}

/** The urgent changes, each with a unique name. */
export const urgent = (changes: Change[]): string[] =>
	changes
		.filter((change) => change.what === 'cancelled' || change.isNext)
		.map((change) => `${change.isNext ? 'next' : change.what} ${change.stops.map((stop) => stop.stopId).join()}`);
