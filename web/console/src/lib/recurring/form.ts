// The form of a template: when its orders are due, and what each of them is.
import type { Problem, Schema } from '$shared/api';
import { beginningOf, daysAfter, today } from '$shared/moments';
import { localOf, momentOf, orderForm, orderOf, type OrderForm, type Reason } from '../orders/form';
import { textOf, weekly } from './rule';
import type { Change, Template } from './templates';

export interface TemplateForm {
	name: string;
	rruleset: string;
	/** When its rule starts, by the clock of the organization. */
	start: string;
	/** The last day of an order; empty without an end. */
	end: string;
	daysToGenerateAhead: number;
	isActive: boolean;
	order: OrderForm;
}

const usualDaysAhead = 14;

/** Fills a form from a template, or with the defaults of a new one. */
export function templateForm(template: Template | undefined, zone: string): TemplateForm {
	if (!template) {
		const tomorrow = daysAfter(today(zone), 1);
		return {
			name: '',
			rruleset: textOf(weekly),
			start: `${tomorrow}T08:00`,
			end: '',
			daysToGenerateAhead: usualDaysAhead,
			isActive: true,
			order: orderForm({ date: tomorrow, products: [{}] }, zone)
		};
	}
	return {
		name: template.name,
		rruleset: template.rruleset,
		start: localOf(template.startDate, zone),
		end: template.endDate ? localOf(template.endDate, zone).slice(0, 10) : '',
		daysToGenerateAhead: template.daysToGenerateAhead,
		isActive: template.isActive,
		order: orderForm(template.orderTemplate, zone)
	};
}

/** The content of a form, for a new template. */
export const inputOf = (form: TemplateForm, zone: string): Schema<'RecurringOrderInput'> => ({
	name: form.name,
	rruleset: form.rruleset,
	startDate: momentOf(form.start, zone),
	...(form.end && { endDate: endOf(form.end, zone) }),
	daysToGenerateAhead: form.daysToGenerateAhead,
	isActive: form.isActive,
	orderTemplate: orderOf(form.order, zone)
});

/** The changes of a template between two states of its form. */
export function changeOf(before: TemplateForm, after: TemplateForm, zone: string): Change {
	const [old, now] = [inputOf(before, zone), inputOf(after, zone)];
	const change: Change = { ...now, endDate: now.endDate ?? null };
	for (const name of Object.keys(now) as (keyof typeof now)[]) if (same(old[name], now[name])) delete change[name];
	if (before.end === after.end) delete change.endDate;
	return change;
}

export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The last second of a day, which may still have the last order. */
const endOf = (day: string, zone: string) => new Date(beginningOf(daysAfter(day, 1), zone) - 1000).toISOString();

const within = 'orderTemplate.';

/** The errors in the order of a template, by field. */
export const reasonsOf = (problem: Problem | undefined): Reason[] =>
	(problem?.fields ?? [])
		.filter(({ field }) => field.startsWith(within) || field.endsWith('Id'))
		.map(({ field, text, reason }) => ({ code: 'UNKNOWN_INVALID_INPUT_CODE', field: fieldOf(field), message: text, reason }));

const fieldOf = (field: string): string =>
	field.startsWith(within) ? field.slice(within.length) : field.replace(/(Location)?Id$/, '');
