// Writes what a later release may answer: each example of a response in the published contract, with
// a value that nobody knows wherever values may be added, and a new field in each object.
// node newcomers.mjs FOLDER writes newcomers.json for programs that decode, and newcomers.ts for a
// compiler. Clients that were generated from the published contract must take them all.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

const contract = load(readFileSync(join(import.meta.dirname, '../api/contract/published/openapi.yaml'), 'utf8'));
const folder = process.argv[2];
mkdirSync(folder, { recursive: true });

const methods = ['get', 'put', 'post', 'patch', 'delete'];
const newText = 'A_NEW_VALUE';
const newNumber = 4711;
const newField = 'aNewField';

const answers = [...examples()];
writeFileSync(join(folder, 'newcomers.json'), JSON.stringify(answers.map(({ type, ...answer }) => answer)));
writeFileSync(join(folder, 'newcomers.ts'), compiled(answers));

/** Each example of a response in JSON, and of a webhook's body. Responses that operations share are read once. */
function* examples() {
	const read = new Set();
	for (const [path, item] of Object.entries(contract.paths)) {
		for (const method of methods.filter((name) => name in item)) {
			const { operationId, responses } = item[method];
			for (const [status, response] of Object.entries(responses)) {
				if (read.has(response.$ref)) continue;
				if (response.$ref) read.add(response.$ref);
				const type = ['paths', path, method, 'responses', Number(status) || status, 'content', 'application/json'];
				yield* bodies({ operation: operationId, status, type }, resolved(response).content);
			}
		}
	}
	for (const [name, item] of Object.entries(contract['x-webhooks'])) {
		const schema = item.post.requestBody.content['application/json'].schema.$ref.split('/').at(-1);
		yield* bodies({ operation: name, schema, type: ['components', 'schemas', schema] }, item.post.requestBody.content);
	}
}

function* bodies(answer, content) {
	const media = content?.['application/json'];
	for (const [name, example] of Object.entries(media?.examples ?? {})) {
		const { value } = resolved(example);
		yield { ...answer, example: name, values: changed(media.schema, value), body: changed(media.schema, value, true) };
	}
}

/** A value with what is new in it: values, and fields if they are wanted. */
function changed(schema, value, withFields = false) {
	const parts = partsOf(schema, value);
	if (parts.some((part) => part['x-extensible-enum'])) return typeof value === 'number' ? newNumber : value === null ? null : newText;
	if (Array.isArray(value)) {
		const items = parts.find((part) => part.items)?.items ?? {};
		return value.map((item) => changed(items, item, withFields));
	}
	if (typeof value !== 'object' || value === null) return value;
	const members = Object.entries(value).map(([name, member]) => {
		const known = parts.find((part) => part.properties?.[name])?.properties[name];
		const other = parts.find((part) => typeof part.additionalProperties === 'object')?.additionalProperties;
		return [name, changed(known ?? other ?? {}, member, withFields)];
	});
	const hasFields = parts.some((part) => part.properties) && parts.every((part) => !part.additionalProperties);
	if (withFields && hasFields) members.push([newField, newText]);
	return Object.fromEntries(members);
}

/** A schema and all of its parts that fit a value. */
function partsOf(schema, value) {
	const whole = resolved(schema);
	const variants = [...(whole.oneOf ?? []), ...(whole.anyOf ?? [])].filter((variant) => fits(resolved(variant), value));
	return [whole, ...[...(whole.allOf ?? []), ...variants].flatMap((part) => partsOf(part, value))];
}

function fits({ required = [], properties = {} }, value) {
	if (typeof value !== 'object' || value === null) return true;
	return required.every((name) => name in value && (resolved(properties[name] ?? {}).enum?.includes(value[name]) ?? true));
}

function resolved(part) {
	if (!part.$ref) return part;
	const names = part.$ref.replace('#/', '').split('/');
	return resolved(names.reduce((found, name) => found[name], contract));
}

/** Constants with the types of a generated client. A compiler refuses fields that it does not know in them. */
function compiled(all) {
	const constants = all.map(({ type: [first, ...names], values }, i) => {
		const type = first + names.map((name) => `[${JSON.stringify(name)}]`).join('');
		return `export const newcomer${i}: ${type} = ${JSON.stringify(values)};`;
	});
	return `import type { components, paths } from "./waybill.js";\n\n${constants.join('\n')}\n`;
}
