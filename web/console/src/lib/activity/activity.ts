// Who did what, from the organization's log.
import { api, ask, type Schema } from '$shared/api';
import { daysAfter, momentOf, startOf } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { statusOf } from '$shared/status';
import { nameOf } from '$shared/words.svelte';
import { collections } from '../data/collections';
import { link, orderLink } from '../links';

type Activity = Schema<'Activity'>;

/** The filters of the log, by their names in the address. */
export const filters = ['actor', 'kind', 'subject', 'id', 'since', 'from', 'at', 'to', 'until', 'driver', 'dept', 'people'] as const;

/** A moment in since comes before a day in from and a time in at; a day in to may have a time in until. */
export type ActivityQuery = Record<(typeof filters)[number], string>;

const perPage = 100;

/** When the log is read from: a moment, or a time of a day by the organization's clock. */
export const beginningOf = ({ since, from, at }: ActivityQuery): string =>
	since && !Number.isNaN(Date.parse(since)) ? since : from && (at ? momentOf(`${from}T${at}`, zone()) : startOf(from, zone()));

/** Until when the log is read; days are whole ones unless there is a time. */
const endOf = ({ to, until }: ActivityQuery): string =>
	to && (until ? momentOf(`${to}T${until}`, zone()) : startOf(daysAfter(to, 1), zone()));

/** The query as the service takes it. */
function parameters(query: ActivityQuery) {
	const [from, to] = [beginningOf(query), endOf(query)];
	return {
		...(query.actor && { actor: query.actor }),
		...(query.kind && { kind: query.kind }),
		...(query.subject && { subject_type: query.subject }),
		...(query.subject && query.id && { subject_id: Number(query.id) }),
		...(query.driver && { driver_id: Number(query.driver) }),
		...(query.dept && { department_id: Number(query.dept) }),
		...(query.people && { people_only: true }),
		...(from && { from }),
		...(to && { to })
	};
}

export const readActivity = (query: ActivityQuery, token = '', limit = perPage): Promise<Schema<'ActivityList'>> =>
	ask(
		api.GET('/v1/activity', {
			params: { query: { ...parameters(query), limit, ...(token && { token }) } }
		})
	);

/** Who did it, by name if there is one. */
export function actorOf(one: Activity): string {
	if (one.actor_name) return one.actor_name;
	const [sort = '', name = ''] = one.actor.split(':');
	return [nameOf('actor', sort), name].filter(Boolean).join(' ');
}

/** What was done. For most kinds of events, the part after the subject says it. */
export function kindOf(one: Activity): string {
	const known = nameOf('kind', one.kind);
	if (known !== one.kind) return known;
	const did = one.kind.slice(one.kind.indexOf('.') + 1);
	return nameOf('did', did);
}

/** The kinds of events that people look for most. */
export const kinds = [
	'order.created', 'order.updated', 'order.planned', 'order.unplanned', 'order.locked', 'order.unlocked', 'order.cancelled', 'order.failed',
	'order.delivered', 'exception.opened', 'draft.created', 'notification.failed', 'document.uploaded'
] as const;

/** The identifier of a request, which means nothing to people. */
const request = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Why it happened, in words: what somebody did, or which part of the service it came from. */
export function causeOf({ cause, actor }: Activity): string {
	const sort = actor.slice(0, actor.indexOf(':'));
	if (request.test(cause)) return nameOf('cause', sort === 'key' ? 'program' : sort === 'device' ? 'app' : 'request');
	const [what = '', , ...rest] = cause.split('/');
	const known = nameOf('cause', what);
	if (known === what) return cause;
	const day = rest.find((part) => /^\d{4}-\d{2}-\d{2}$/.test(part));
	return day ? `${known} ${day}` : known;
}

/** What changed, as far as the log says it: the fields, or the status and the stop. */
export function detailsOf({ data, kind, order_status_id: status, stop }: Activity): string {
	const changed = (data as { changed?: unknown } | null)?.changed;
	const fields = Array.isArray(changed) ? changed.map((field) => String(field).replaceAll('_', ' ')) : [];
	const state = status && !kind.startsWith('order.planned') ? nameOf('status', statusOf(status).name) : '';
	return [...fields, state, stop ? nameOf('stop', stop) : ''].filter(Boolean).join(', ');
}

/** The subjects by which the log can be filtered. */
export const subjects = [
	'order',
	'draft',
	'recurring_order',
	'notification',
	'document',
	'driver',
	'vehicle',
	'customer',
	'department',
	'location',
	'user',
	'role',
	'key',
	'identity_provider',
	'organization',
	'plan',
	'custom_field',
	'vehicle_type',
	'order_type',
	'product',
	'skill',
	'group',
	'zone',
	'freight_level',
	'calendar',
	'price_list',
	'notification_rule',
	'alert_rule',
	'webhook_endpoint'
] as const;

/** The subject: its public name, or its identifier. */
export const subjectOf = (one: Activity): string =>
	`${nameOf('subject', one.subject_type)} ${one.name ?? one.subject_id}`;

/** The subject's page in the console, if it has one. */
export function subjectLink(one: Activity): string | undefined {
	if (one.order_id) return orderLink(one.order_id);
	if (one.subject_type === 'driver') return link(`drivers/${one.subject_id}`);
	if (one.subject_type === 'user') return link(`settings/people/${one.subject_id}`);
	if (one.subject_type === 'notification_rule') return link(`settings/rules/${one.subject_id}`);
	if (one.subject_type === 'webhook_endpoint') return link(`settings/webhooks/${one.subject_id}`);
	const plural = `${one.subject_type.replaceAll('_', '-')}s`;
	return collections.some(({ name }) => name === plural) ? link(`data/${plural}/${one.subject_id}`) : undefined;
}
