// Writes the texts of the web apps from messages/active.*.toml as TypeScript:
// one module per language, so that a browser loads only one, and the types that
// check every use. The texts of what is loaded later are in modules of their own,
// so that first views do not wait for them.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'smol-toml';

const folder = new URL('../shared/', import.meta.url);
const languages = ['en', 'nb', 'da'];

/**
 * The arguments of one message: the names in {{.name}}, and the count that selects singular or
 * plural.
 */
function argumentsOf(message) {
	const names = new Set(message.one === undefined ? [] : ['count']);
	for (const text of [message.one, message.other]) {
		for (const [, name] of (text ?? '').matchAll(/\{\{\.(\w+)\}\}/g)) names.add(name);
	}
	return [...names].sort();
}

const withoutBraces = (text) => text.replaceAll(/\{\{\.(\w+)\}\}/g, '{$1}');

function valueOf(message) {
	if (message.one === undefined) return JSON.stringify(withoutBraces(message.other));
	return `{ one: ${JSON.stringify(withoutBraces(message.one))}, other: ${JSON.stringify(withoutBraces(message.other))} }`;
}

const read = (of, tag) => parse(readFileSync(new URL(`${of}/active.${tag}.toml`, folder), 'utf8'));

/** The families of texts that only parts have that are loaded later, or only the settings. */
const later = {
	parts: /^(board|hand|since|log|cause|work|unplanned_reason|figure|alert|chat|alertChannel|alertKind|messageLanguage|recipient|safe)\./,
	settings: /^(webhooks|travel|privacy|security|tag|providers|carriers|messaging|roles|role_help|webhook_fault|map_settings|map_kind|personal_data|webhook_off|rules|key_state|flags|webhook_state|user_state)\./
};
const isLater = (key) => Object.values(later).some((families) => families.test(key));

const moduleOf = (lines) =>
	`import type { Word, Words } from './words.gen';\n\nconst words: Partial<Record<keyof Words, Word>> = {\n${lines.join('\n')}\n};\n\nexport default words;\n`;

/** The texts of each app: the console uses the shared ones, the driver's app its own. */
const apps = { '': 'messages', 'driver.': '../driver/messages' };

const types = ['// Written by tools/words.mjs from the active.en.toml of each app.', ''];
types.push('export type Word = string | { one: string; other: string };', '');
types.push('/** The names of all words, and what each of them takes. */', 'export interface Words {');

for (const [app, place] of Object.entries(apps)) {
	const all = Object.fromEntries(languages.map((tag) => [tag, read(place, tag)]));
	const keys = Object.keys(all.en).sort();
	for (const key of keys) {
		const taken = argumentsOf(all.en[key]).map((name) => `${name}: string | number`);
		types.push(`\t${JSON.stringify(key)}: ${taken.length ? `{ ${taken.join('; ')} }` : 'undefined'};`);
	}
	for (const tag of languages) {
		const missing = keys.filter((key) => !all[tag][key]);
		if (missing.length) throw new Error(`${place}/active.${tag}.toml lacks ${missing.join(', ')}`);
		const lineOf = (key) => `\t${JSON.stringify(key)}: ${valueOf(all[tag][key])},`;
		const write = (name, some) => writeFileSync(new URL(name, folder), moduleOf(some.map(lineOf)));
		write(`words.${app}${tag}.gen.ts`, keys.filter((key) => app || !isLater(key)));
		if (app) continue;
		for (const [what, families] of Object.entries(later)) write(`words.${what}.${tag}.gen.ts`, keys.filter((key) => families.test(key)));
	}
}
types.push('}', '');
writeFileSync(new URL('words.gen.ts', folder), types.join('\n'));
