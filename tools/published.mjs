// Makes of the contract what others read: a contract whose responses may gain values and
// fields. The service's own types, and its checks of requests, are made of the closed one.
import { upgradeFromThreeToThreeOne } from '@scalar/openapi-upgrader/3.0-to-3.1';

/** Descriptions name at most so many values; the others are in x-extensible-enum alone. */
const named = 40;

/** What people read below a list of known values. */
const mayGrow = 'More values may be added.';

/**
 * The contract with open responses. An enum that an answer may hold is a plain type with the known
 * values in `x-extensible-enum`, which generators make a type of that takes any value. A value that
 * never varies, such as the type URL of a detail, stays what it is.
 */
export function opened(contract) {
	const copy = structuredClone(contract);
	for (const schema of answered(copy)) {
		if (schema.additionalProperties === false) delete schema.additionalProperties;
		const values = (schema.enum ?? []).filter((value) => value !== null);
		if (values.length < 2) continue;
		delete schema.enum;
		delete schema['x-enum-varnames'];
		schema['x-extensible-enum'] = values;
		schema.description = [schema.description?.trim(), known(values)].filter(Boolean).join('\n\n');
	}
	return copy;
}

/** The open contract as OpenAPI 3.1, which has a place for webhooks. */
export function upgraded(contract) {
	return upgradeFromThreeToThreeOne(opened(contract));
}

function known(values) {
	if (values.length > named) return `Known values: those of \`x-extensible-enum\`. ${mayGrow}`;
	return `Known values: ${values.map((value) => `\`${value}\``).join(', ')}. ${mayGrow}`;
}

/** The schemas of what Waybill sends: answers, and the bodies of webhooks. */
function answered(contract) {
	const found = new Set();
	const visited = new Set();
	const visit = (part) => {
		if (typeof part !== 'object' || part === null || visited.has(part)) return;
		visited.add(part);
		if (typeof part.$ref === 'string') visit(at(contract, part.$ref));
		if (isSchema(part)) found.add(part);
		for (const [name, member] of Object.entries(part)) {
			if (name !== 'example' && name !== 'examples' && name !== 'enum') visit(member);
		}
	};
	for (const path of Object.values(contract.paths)) {
		for (const operation of Object.values(path)) visit(operation.responses);
	}
	for (const webhook of Object.values(contract['x-webhooks'] ?? {})) {
		for (const operation of Object.values(webhook)) visit(operation.requestBody);
	}
	return found;
}

const isSchema = (part) => Array.isArray(part.enum) || part.additionalProperties === false;

function at(contract, ref) {
	const names = ref.replace('#/', '').split('/');
	return names.reduce((part, name) => part[name.replaceAll('~1', '/').replaceAll('~0', '~')], contract);
}
