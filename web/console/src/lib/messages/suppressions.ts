// Addresses that get no messages, since one bounced or its reader called it spam.
import { api, ask, type Schema } from '$shared/api';

export type Suppression = Schema<'Suppression'>;

const shownAtOnce = 100;

export const listSuppressions = (address: string, token: string, pageSize = shownAtOnce, signal?: AbortSignal) =>
	ask(api.GET('/v1/notifications/suppressions', { params: { query: { address, token, pageSize } }, signal: signal ?? null }));

/** Lets an address get messages again. */
export const lift = (address: string) => ask(api.POST('/v1/notifications/suppressions/lift', { body: { address } }));
