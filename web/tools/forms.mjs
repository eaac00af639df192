// Writes the contract's description of maintained records, such as vehicles, as
// TypeScript: their paths, the roles that may change them, and the fields of
// their forms.
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { parse } from 'smol-toml';

const contract = load(readFileSync(new URL('../../api/contract/openapi.yaml', import.meta.url), 'utf8'));

/** Each collection: its path below /v1, and the names of fields that refer to it. */
const collections = {
	customers: { names: ['customer'] },
	departments: { names: ['department'] },
	locations: { names: ['location', 'start_location', 'end_location', 'home_location'] },
	vehicles: { names: ['vehicle'] },
	'vehicle-types': { names: ['vehicle_type', 'also_serves'] },
	drivers: { names: ['driver'] },
	skills: { names: ['skills'] },
	groups: { names: ['group'] },
	products: { names: ['product'] },
	'order-types': { names: ['order_type'] },
	zones: { names: ['zone', 'from_zone', 'to_zone'] },
	'freight-levels': { names: ['freight_level'] },
	calendars: { names: ['calendar'] },
	'price-lists': { names: ['price_list'] },
	'notification-rules': { names: [] },
	'custom-fields': { path: 'admin/custom-field-definitions', names: [] }
};

/** Texts of requests whose values only answers count up. */
const counted = {
	sortOrderBatch: 'CustomFieldSortOrderBatch',
	displayOn: 'CustomFieldDisplayOn',
	displayStyle: 'CustomFieldDisplayStyle'
};

const named = Object.fromEntries(
	Object.entries(collections).flatMap(([key, { names }]) => names.map((name) => [name, key]))
);

const schemas = contract.components.schemas;

/** A schema with its references resolved. */
function resolved(schema) {
	const parts = [...(schema.allOf ?? [])];
	if (schema.$ref) parts.push(schemas[schema.$ref.split('/').at(-1)]);
	return parts.reduce((all, part) => ({ ...resolved(part), ...all }), { ...schema });
}

const bodyOf = (operation) => resolved(operation.requestBody.content['application/json'].schema);
const answerOf = (operation) => resolved(operation.responses['200'].content['application/json'].schema);

/** The collection that a field refers to, if any. */
const namedBy = (name) => named[name.replace(/_ids?$/, '')];

/** The options of a choice. A value that may be null lists null too, which a form says by choosing nothing. */
const optionsOf = (name, schema) => (schema.enum ?? schemas[counted[name]]?.enum)?.filter((option) => option !== null);

/** Whether a choice is a level of proof, which defaults to the organization's. */
const isProof = (options) => schemas.ProofLevel.enum.every((level) => options.includes(level));

/** The kinds of proof of a way, unless it has all: nobody signs if nobody is there. */
const proves = { contactless: ['photo', 'scan', 'comment'], failure: ['photo', 'comment'] };

function kindOf(name, schema) {
	const options = optionsOf(name, schema);
	if (options) return { kind: 'choice', options, ...(isProof(options) && { unsaid: 'form.as_organization' }) };
	switch (schema.type) {
		case 'boolean':
			return { kind: 'flag' };
		case 'integer':
			return namedBy(name) ? { kind: 'named', of: namedBy(name) } : { kind: 'number', step: 1 };
		case 'number':
			return { kind: 'number' };
		case 'object':
			return { kind: 'group', fields: fieldsOf(schema).filter((field) => proves[name]?.includes(field.name) ?? true) };
		case 'array': {
			const items = resolved(schema.items);
			if (items.properties) return { kind: 'list', fields: fieldsOf(items) };
			return { kind: 'many', of: namedBy(name), by: items.type === 'string' ? 'name' : 'id' };
		}
	}
	if (/HH:MM/.test(schema.description)) return { kind: 'time' };
	if (/as a template/.test(schema.description) && name !== 'subject') return { kind: 'long' };
	return { kind: 'text', ...(schema.maxLength && { longest: schema.maxLength }) };
}

const fieldsOf = (schema, changed = schema) =>
	Object.entries({ ...schema.properties, ...changed.properties }).map(([name, property]) => ({
		name,
		...kindOf(name, resolved(property)),
		...(schema.required?.includes(name) && { required: true }),
		...(resolved(changed.properties[name] ?? property).nullable && { nullable: true }),
		...(!schema.properties[name] && { onlyChanged: true }),
		...(/Only administrators set/.test(property.description) && { onlyAdmin: true })
	}));

const people = (operation) => operation['x-callers'].filter((caller) => caller !== 'key');

const parametersOf = (operation) =>
	(operation.parameters ?? []).map((parameter) => parameter.name ?? parameter.$ref.split('/').at(-1).toLowerCase());

function describe(path) {
	const all = contract.paths[`/v1/${path}`];
	const [itemPath, one] = Object.entries(contract.paths).find(([p]) => new RegExp(`^/v1/${path}/\\{\\w+\\}$`).test(p));
	const [items] = Object.values(answerOf(all.get).properties);
	const searching = contract.paths[`/v1/${path}/search`]?.get;
	return {
		list: `/v1/${path}`,
		item: itemPath.replace(/\{\w+\}/, '{id}'),
		id: Object.keys(resolved(items.items).properties).find((name) => /^(\w+_)?id$/.test(name)),
		readers: people(all.get),
		makers: people(all.post),
		changers: people(one.put),
		pages: parametersOf(all.get).includes('page'),
		searches: parametersOf(all.get).includes('query') || Boolean(searching),
		...(searching && { search: `/v1/${path}/search` }),
		readable: Boolean(one.get),
		fields: fieldsOf(bodyOf(all.post), bodyOf(one.put))
	};
}

const shapes = Object.fromEntries(Object.entries(collections).map(([key, { path }]) => [key, describe(path ?? key)]));

/** The console's roles that may call operations of each tag. */
const callersByTag = {};
for (const path of Object.values(contract.paths)) {
	for (const operation of Object.values(path)) {
		for (const caller of operation['x-callers'] ?? []) {
			if (['key', 'driver'].includes(caller)) continue;
			const callers = (callersByTag[operation.tags[0]] ??= []);
			if (!callers.includes(caller)) callers.push(caller);
		}
	}
}

/** The texts of a form, all of which must exist. */
const said = (fields) =>
	fields.flatMap((field) => [
		`field.${field.name}`,
		...(field.options ?? []).map((option) => `choice.${option}`),
		...said(field.fields ?? [])
	]);
const words = parse(readFileSync(new URL('../shared/messages/active.en.toml', import.meta.url), 'utf8'));
const unsaid = [
	...Object.values(shapes).flatMap(({ fields }) => said(fields)),
	...Object.keys(callersByTag).map((tag) => `tag.${tag}`)
].filter((word) => !words[word]);
if (unsaid.length) throw new Error(`messages/active.en.toml lacks ${unsaid.join(', ')}`);

writeFileSync(
	new URL('../shared/forms.gen.ts', import.meta.url),
	`// Written by tools/forms.mjs from the contract.
import type { Shape } from './forms';

export type CollectionName = ${Object.keys(shapes)
		.map((key) => `'${key}'`)
		.join(' | ')};

export const callersByTag: Record<string, string[]> = ${JSON.stringify(callersByTag)};

export const shapes: Record<CollectionName, Shape> = ${JSON.stringify(shapes, null, '\t')};
`
);
