// Failed messages that are resent together.
import { api, ask, type Schema } from '$shared/api';

export type Resending = Schema<'Resending'>;
export type Selection = Schema<'ResendingRequest'>;
export type Preview = Schema<'ResendingPreview'>;

const shownAtOnce = 5;

export const previewResending = (selection: Selection, signal: AbortSignal) =>
	ask(api.POST('/v1/notification-resendings/preview', { body: selection, signal }));

export const startResending = (selection: Selection) => ask(api.POST('/v1/notification-resendings', { body: selection }));

export const readResending = (id: number) => ask(api.GET('/v1/notification-resendings/{id}', { params: { path: { id } } }));

export const stopResending = (id: number) => ask(api.POST('/v1/notification-resendings/{id}/stop', { params: { path: { id } } }));

/** The newest resendings. */
export const lastResendings = () =>
	ask(api.GET('/v1/notification-resendings', { params: { query: { pageSize: shownAtOnce } } })).then((page) => page.items);
