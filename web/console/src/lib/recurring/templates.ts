// Templates of orders that come again, and what they are about to make.
import { api, ask, type Schema } from '$shared/api';
import { beginningOf, daysAfter, today } from '$shared/moments';
import { zone } from '$shared/session.svelte';

export type Template = Schema<'RecurringOrder'>;
export type Occurrence = Schema<'Occurrence'>;

export const pageSize = 50;
const weeks = 12;

export const listTemplates = (page: number, isActive: boolean | undefined) =>
	ask(
		api.GET('/v1/recurring_orders', {
			params: {
				query: { limit: pageSize, offset: (page - 1) * pageSize, ...(isActive === undefined ? {} : { isActive }) }
			}
		})
	);

export const readTemplate = (id: number) =>
	ask(api.GET('/v1/recurring_orders/{recurringOrderId}', { params: { path: { recurringOrderId: id } } }));

/** What of a template is changed here. */
export interface Change {
	rruleset: string;
	name: string;
	daysToGenerateAhead: number;
	isActive: boolean;
	updateExistingOrders: boolean;
}

export const changeOf = (template: Template): Change => ({
	rruleset: template.rruleset,
	name: template.name,
	daysToGenerateAhead: template.daysToGenerateAhead,
	isActive: template.isActive,
	updateExistingOrders: false
});

/** Which orders of a template would be made, changed and cancelled by a change, and which left alone and why. */
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

/** The first day of the calendar, a Monday, and the one behind its last. */
export function calendarSpan(): { first: string; end: string } {
	const now = today(zone());
	const weekday = (new Date(`${now}T00:00:00Z`).getUTCDay() + 6) % 7;
	const first = daysAfter(now, -weekday);
	return { first, end: daysAfter(first, weeks * 7) };
}

/** When a rule comes in the twelve weeks of the calendar. */
export async function occurrences(template: Template, rruleset: string): Promise<Occurrence[]> {
	const { end } = calendarSpan();
	const until = new Date(beginningOf(end, zone())).toISOString();
	const endDate = template.endDate && template.endDate < until ? template.endDate : until;
	const preview = await ask(
		api.POST('/v1/recurring_orders/preview', {
			body: { rruleset, startDate: template.startDate, endDate, limit: 500 }
		})
	);
	return preview.occurrences.filter((one) => one.date >= calendarSpan().first);
}
