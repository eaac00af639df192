// Webhook endpoints, and the results of deliveries.
import { api, ask, askTagged, type Schema, type Tagged } from '$shared/api';
import { nameOf, t } from '$shared/words.svelte';

export type Endpoint = Schema<'WebhookEndpoint'>;
export type Attempt = Schema<'WebhookAttempt'>;
export type EventType = Schema<'OrderEventType'>;

// The compiler checks that none is missing.
const everyType = {
	'order.created': true,
	'order.updated': true,
	'order.merged': true,
	'order.split': true,
	'order.planned': true,
	'order.unplanned': true,
	'order.eta_changed': true,
	'order.alerted': true,
	'order.recipient_instructed': true,
	'order.recipient_preferred': true,
	'order.recipient_rated': true,
	'stop.approaching': true,
	'stop.arrived': true,
	'order.picked_up': true,
	'order.delivered': true,
	'order.failed': true,
	'order.corrected': true,
	'order.cancelled': true,
	'order.reactivated': true,
	'order.number_cancelled': true,
	'order.number_replanned': true
} satisfies Record<EventType, true>;

/** The event types for endpoints, in the sequence of an order. */
export const types = Object.keys(everyType) as EventType[];

const byId = (id: number) => ({ params: { path: { endpointId: id } } });

export const listEndpoints = (): Promise<Schema<'WebhookEndpointList'>> => ask(api.GET('/v2/webhook-endpoints'));

export const readEndpoint = (id: number): Promise<Tagged<Endpoint>> =>
	askTagged(api.GET('/v2/webhook-endpoints/{endpointId}', byId(id)));

/** Adds an endpoint and returns its signing secret, which is shown only once. */
export const createEndpoint = async (body: Schema<'CreateWebhookEndpointRequest'>): Promise<Schema<'WebhookEndpointWithSecret'>> =>
	ask(api.POST('/v2/webhook-endpoints', { body }));

/** Changes an endpoint, unless it has changed since it was read. */
export const changeEndpoint = (endpoint: Tagged<Endpoint>, body: Schema<'UpdateWebhookEndpointRequest'>) =>
	ask(
		api.PUT('/v2/webhook-endpoints/{endpointId}', {
			params: { path: { endpointId: endpoint.body.id }, header: { 'If-Match': endpoint.tag } },
			body
		})
	);

export const removeEndpoint = (id: number) => ask(api.DELETE('/v2/webhook-endpoints/{endpointId}', byId(id)));

/** Replaces the secret and returns the new one; the old one stays valid for some minutes. */
export const rotateSecret = async (id: number, overlapMinutes: number): Promise<string> =>
	(await ask(api.POST('/v2/webhook-endpoints/{endpointId}/rotate-secret', { ...byId(id), body: { overlapMinutes } }))).secret;

/** Sends an example of each type of the endpoint, and returns the results. */
export const sendExamples = async (endpoint: Endpoint): Promise<Attempt[]> =>
	(await ask(api.POST('/v2/webhook-endpoints/{endpointId}/test', { ...byId(endpoint.id), body: { types: endpoint.types } })))
		.items;

/** The filters of attempts. */
export interface AttemptQuery {
	id: number;
	outcome: string;
	messageId: string;
}

const perPage = 50;

export const listAttempts = (query: AttemptQuery, token = ''): Promise<Schema<'WebhookAttemptPage'>> =>
	ask(
		api.GET('/v2/webhook-endpoints/{endpointId}/attempts', {
			params: {
				path: { endpointId: query.id },
				query: {
					pageSize: perPage,
					...(token && { token }),
					...(query.messageId && { messageId: query.messageId }),
					...(query.outcome && { isDelivered: query.outcome === 'delivered' })
				}
			}
		})
	);

/** Has events sent again and returns how many. */
export const replay = async (id: number, body: Schema<'ReplayWebhooksRequest'>): Promise<number> =>
	(await ask(api.POST('/v2/webhook-endpoints/{endpointId}/replay', { ...byId(id), body }))).events;

/** The displayed name of an endpoint. */
export const titleOf = (endpoint: Endpoint): string => endpoint.description || endpoint.url;

type State = 'active' | 'failing' | 'off';

export function stateOf(endpoint: Endpoint): State {
	if (!endpoint.isActive) return 'off';
	return endpoint.failingSince ? 'failing' : 'active';
}

/** The share of the last attempts that were not accepted; nothing without attempts. */
export function failureRate({ recentAttempts, recentFailures }: Endpoint): string {
	if (recentAttempts === 0) return '';
	return t('webhooks.rate', { share: Math.round((100 * recentFailures) / recentAttempts) });
}

/** The result of an attempt, in a few words. */
export function outcomeOf(attempt: Attempt): string {
	if (attempt.isDelivered) return t('webhooks.accepted');
	return attempt.fault === 'STATUS' ? t('webhooks.answered', { status: String(attempt.status) }) : nameOf('webhook_fault', attempt.fault ?? '');
}

/** A body for reading: formatted JSON, anything else unchanged. */
export function readable(body: string): string {
	try {
		return JSON.stringify(JSON.parse(body), null, 2);
	} catch {
		return body;
	}
}
