// How an organization shows itself to recipients, as a form.
import type { Schema } from '$shared/api';
import { toMake, written, type Field, type Writing } from '$shared/forms';

type Page = NonNullable<Schema<'Organization'>['recipient_page']>;
type Actions = NonNullable<Page['actions']>;

/** An action that the organization allows, with its deadline. */
const action = (name: string, deadline: Field): Field => ({
	name, kind: 'group', fields: [{ name: 'allowed', kind: 'flag' }, deadline]
});
const minutesBefore: Field = { name: 'minutes_before', kind: 'number', step: 1 };
const actions: Field[] = [
	action('instructions', minutesBefore),
	action('rating', { name: 'days_after', kind: 'number', step: 1 }),
	action('preferences', minutesBefore),
	action('slot', minutesBefore)
];

/** The fields of the form. The logo, a picture, is apart. */
export const pageFields: Field[] = [
	{ name: 'color', kind: 'text', longest: 7 },
	{ name: 'phone', kind: 'text', longest: 31 },
	{ name: 'email', kind: 'text', longest: 255 },
	{ name: 'website', kind: 'text', longest: 255 },
	{ name: 'domain', kind: 'text', longest: 255 },
	{ name: 'move_minutes', kind: 'number', step: 1 },
	{ name: 'actions', kind: 'group', fields: actions }
];

/** The page in the form. */
export function pageWritten(page: Page | null): Writing {
	const form = written(pageFields, page ?? {});
	form['logo'] = page?.logo ?? '';
	for (const [name, said] of Object.entries(form['actions'] as Writing)) {
		(said as Writing)['allowed'] = Boolean(page?.actions?.[name as keyof Actions]);
	}
	return form;
}

/** The form as the page, or null for the usual one. */
export function pageSaid(form: Writing): Page | null {
	const { actions: chosen, ...shown } = form as Writing & { actions: Writing };
	const allowed = actions.flatMap(({ name, fields = [] }): [string, unknown][] => {
		const { allowed: may, ...deadline } = chosen[name] as Writing;
		if (!may) return [];
		return [[name, toMake(fields.slice(1), deadline)]];
	});
	const page: Page = toMake([...pageFields.filter((field) => field.name !== 'actions'), { name: 'logo', kind: 'text' }], shown);
	if (allowed.length) page.actions = Object.fromEntries(allowed);
	return Object.keys(page).length ? page : null;
}
