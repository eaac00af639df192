// Faults that nothing else catches.
import type { HandleClientError } from '@sveltejs/kit';
import { page } from '$app/state';
import { report, reportFrom } from '$shared/faults';

reportFrom('console', () => page.route.id ?? '');

export const handleError: HandleClientError = ({ error, status }) => {
	if (status !== 404) report(error);
};
