// Templates of recurring orders, and their next orders.
import { api, ask, type Schema } from '$shared/api';
import { beginningOf, daysAfter, today } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { outcomeOf } from '../imports/outcomes';
import type { Reason } from '../orders/form';

export type Template = Schema<'RecurringOrder'>;
export type Occurrence = Schema<'Occurrence'>;

export const pageSize = 50;
const weeks = 12;

export const listTemplates = (page: number, isActive: boolean | undefined, limit = pageSize, signal?: AbortSignal) =>
	ask(
		api.GET('/v1/recurring_orders', {
			signal: signal ?? null,
			params: {
				query: { limit, offset: (page - 1) * limit, ...(isActive === undefined ? {} : { isActive }) }
			}
		})
	);

export const readTemplate = (id: number) =>
	ask(api.GET('/v1/recurring_orders/{recurringOrderId}', { params: { path: { recurringOrderId: id } } }));

export type Change = Schema<'RecurringOrderUpdate'>;

/**
 * Which orders of a template a change would create, change and cancel, and which it would leave
 * alone and why.
 */
export const previewChange = (id: number, change: Change) =>
	ask(
		api.POST('/v1/recurring_orders/{recurringOrderId}/preview-update', {
			params: { path: { recurringOrderId: id } },
			body: change
		})
	);

export const saveChange = (id: number, change: Change) =>
	ask(
		api.PUT('/v1/recurring_orders/{recurringOrderId}', { params: { path: { recurringOrderId: id } }, body: change })
	);

export const makeTemplate = (body: Schema<'RecurringOrderInput'>) => ask(api.POST('/v1/recurring_orders', { body }));

/** The errors in the order of a template; writes nothing. */
export async function check(order: Schema<'ImportOrderRequest'>): Promise<Reason[]> {
	const body = { orders: [{ ...order, externalId: `check-${Date.now()}` }] };
	const answer = await ask(api.POST('/v3/orders/import', { params: { query: { validateOnly: true } }, body }));
	return answer.results?.flatMap((result) => outcomeOf(result).reasons) ?? [];
}

/** The first day of the calendar, a Monday, and the one after its last. */
export function calendarSpan(): { first: string; end: string } {
	const now = today(zone());
	const weekday = (new Date(`${now}T00:00:00Z`).getUTCDay() + 6) % 7;
	const first = daysAfter(now, -weekday);
	return { first, end: daysAfter(first, weeks * 7) };
}

/** A rule, and its period. */
export interface Span {
	rruleset: string;
	startDate: string;
	endDate?: string | null | undefined;
}

/** The dates of a rule in the twelve weeks of the calendar. */
export async function occurrences({ rruleset, startDate, endDate }: Span): Promise<Occurrence[]> {
	const { first, end } = calendarSpan();
	const until = new Date(beginningOf(end, zone())).toISOString();
	const last = endDate && endDate < until ? endDate : until;
	if (startDate >= last) return [];
	const preview = await ask(
		api.POST('/v1/recurring_orders/preview', { body: { rruleset, startDate, endDate: last, limit: 1000 } })
	);
	return preview.occurrences.filter((one) => one.date >= first);
}
