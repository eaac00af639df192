// The pagers of lists: the text for the range shown, and the links to the
// previous and next page.
import { t } from '$shared/words.svelte';
import { queried, withQuery } from './query';

/** The number of the page in the URL. */
export const pageAsked = (): number => Number(queried('page')) || 1;

/** The pager of a list whose pages are numbered. */
export function byNumber(page: number, pageSize: number, rows: number, total: number, pages: number) {
	const first = (page - 1) * pageSize + 1;
	return {
		shown: rows ? t('pager.shown', { first, last: first + rows - 1, total }) : '',
		previous: page > 1 ? withQuery({ page: String(page - 1) }) : undefined,
		next: page < pages ? withQuery({ page: String(page + 1) }) : undefined
	};
}

/** The pager of a list that continues at a token. It leads back to the first page. */
export function byNextToken(shown: string, answer?: { hasMore: boolean; nextToken?: string | null }) {
	return {
		shown,
		previous: queried('token') ? withQuery({ token: '' }) : undefined,
		next: answer?.hasMore ? withQuery({ token: answer.nextToken ?? '' }) : undefined
	};
}
