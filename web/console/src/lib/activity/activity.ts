// Who did what, from the organization's log.
import { api, ask, type Schema } from '$shared/api';
import { daysAfter, startOf } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { nameOf } from '$shared/words.svelte';
import { collections } from '../data/collections';
import { link, orderLink } from '../links';

type Activity = Schema<'Activity'>;

/** The filters of the log. */
export interface ActivityQuery {
	actor: string;
	kind: string;
	subject: string;
	id: string;
	from: string;
	to: string;
}

const perPage = 100;

/** The query as the service takes it; days are whole ones of the organization's clock. */
function parameters(query: ActivityQuery) {
	return {
		...(query.actor && { actor: query.actor }),
		...(query.kind && { kind: query.kind }),
		...(query.subject && { subject_type: query.subject }),
		...(query.subject && query.id && { subject_id: Number(query.id) }),
		...(query.from && { from: startOf(query.from, zone()) }),
		...(query.to && { to: startOf(daysAfter(query.to, 1), zone()) })
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
