// Forms as the contract describes them: their fields, their values for an
// existing record, and what is sent of them.
import type { CollectionName } from './forms.gen';
import type { Role } from './session.svelte';

/** A field of a form. */
export interface Field {
	name: string;
	kind: 'text' | 'long' | 'number' | 'time' | 'flag' | 'choice' | 'named' | 'many' | 'group' | 'list';
	required?: boolean;
	/** Null takes its value away. */
	nullable?: boolean;
	/** It can be changed, but not set at creation. */
	onlyChanged?: boolean;
	/** Nobody but administrators sees and sets it. */
	onlyAdmin?: boolean;
	longest?: number;
	step?: number;
	options?: string[];
	/** The text for no selection, if it has a meaning. */
	unsaid?: 'form.usually_required' | 'form.usually_optional' | 'form.as_organization';
	/** The collection that its values are chosen from. */
	of?: CollectionName;
	/** Whether references are by name or by id. */
	by?: string;
	/** The fields of a group, or of each entry of a list. */
	fields?: Field[];
}

/** The contract's description of a collection. */
export interface Shape {
	list: string;
	item: string;
	/** The name of its records' id. */
	id: string;
	readers: Role[];
	makers: Role[];
	changers: Role[];
	pages: boolean;
	searches: boolean;
	/** The operation that searches, if the list itself cannot. */
	search?: string;
	readable: boolean;
	fields: Field[];
}

/** The value of a field: texts, flags, and nested values. */
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

/** The body of a new record: the filled fields. */
export function toMake(fields: Field[], form: Writing): Values {
	const given = fields.filter((field) => !field.onlyChanged).map((field) => [field.name, sent(field, form[field.name]!)]);
	return Object.fromEntries(given.filter(([, value]) => value !== null && value !== ''));
}

/** The changes between two states of a form. */
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

/** In groups and lists, omitted fields are removed. */
const filled = (field: Field, value: Writing): Values => toMake(field.fields ?? [], value);
