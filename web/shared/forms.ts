// Forms as the contract describes them: which fields there are, what is written in them
// for something that is there already, and what of them is sent.
import type { CollectionName } from './forms.gen';
import type { Role } from './session.svelte';

/** A field of a form. */
export interface Field {
	name: string;
	kind: 'text' | 'long' | 'number' | 'time' | 'flag' | 'choice' | 'named' | 'many' | 'group' | 'list';
	required?: boolean;
	/** Null takes its value away. */
	nullable?: boolean;
	/** It can be changed, and not be given when the thing is made. */
	onlyChanged?: boolean;
	longest?: number;
	step?: number;
	options?: string[];
	/** The word for what it means that nothing is chosen, where that is not nothing. */
	unsaid?: 'form.usually_required' | 'form.usually_optional' | 'form.as_organization';
	/** The collection that its values are chosen from. */
	of?: CollectionName;
	/** Whether those are told by their names or by their identifiers. */
	by?: string;
	/** What stands within a group, or in each entry of a list. */
	fields?: Field[];
}

/** What the contract says of a collection. */
export interface Shape {
	list: string;
	item: string;
	/** The name of the identifier of its things. */
	id: string;
	readers: Role[];
	makers: Role[];
	changers: Role[];
	pages: boolean;
	searches: boolean;
	readable: boolean;
	fields: Field[];
}

/** What stands in a field: texts of what is written, flags, and what is within. */
export type Written = string | boolean | string[] | Writing | Writing[];
export interface Writing {
	[name: string]: Written;
}

type Values = Record<string, unknown>;

/** Writes a record into a form; an empty form without one. */
export function written(fields: Field[], record: Values | undefined): Writing {
	return Object.fromEntries(fields.map((field) => [field.name, writtenIn(field, record?.[field.name], !record)]));
}

function writtenIn(field: Field, value: unknown, isNew: boolean): Written {
	switch (field.kind) {
		case 'flag':
			return typeof value === 'boolean' ? value : isNew && /^is_?active$/i.test(field.name);
		case 'many':
			return ((value as unknown[] | null | undefined) ?? []).map(String);
		case 'group':
			return written(field.fields ?? [], (value as Values | null) ?? undefined);
		case 'list':
			return ((value as Values[] | null | undefined) ?? []).map((entry) => written(field.fields ?? [], entry));
		default:
			return value === null || value === undefined ? '' : String(value);
	}
}

/** What a new thing is made of: what has been filled in. */
export function toMake(fields: Field[], form: Writing): Values {
	const given = fields.filter((field) => !field.onlyChanged).map((field) => [field.name, sent(field, form[field.name]!)]);
	return Object.fromEntries(given.filter(([, value]) => value !== null && value !== ''));
}

/** What has changed between two states of a form. */
export function toChange(fields: Field[], before: Writing, after: Writing): Values {
	const changed = fields.filter((field) => JSON.stringify(before[field.name]) !== JSON.stringify(after[field.name]));
	return Object.fromEntries(changed.map((field) => [field.name, sent(field, after[field.name]!)]));
}

function sent(field: Field, value: Written): unknown {
	switch (field.kind) {
		case 'flag':
			return value;
		case 'many':
			return field.by === 'id' ? (value as string[]).map(Number) : value;
		case 'group': {
			const within = filled(field, value as Writing);
			return field.nullable && Object.keys(within).length === 0 ? null : within;
		}
		case 'list':
			return (value as Writing[]).map((entry) => filled(field, entry));
		case 'number':
		case 'named':
			return value === '' ? null : Number(value);
		default: {
			const text = (value as string).trim();
			return text === '' && field.nullable ? null : text;
		}
	}
}

/** Within groups and lists, what is left out is taken away. */
const filled = (field: Field, value: Writing): Values => toMake(field.fields ?? [], value);
