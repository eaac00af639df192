// Writes the words of the web apps, which people keep in messages/active.*.toml, as
// TypeScript: one module a language, so that a browser loads the one it needs, and the
// types that hold every use against them.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'smol-toml';

const folder = new URL('../shared/', import.meta.url);
const languages = ['en', 'nb', 'da'];

/** What one message takes: the names in {{.name}}. */
function argumentsOf(message) {
	const names = new Set();
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

const all = Object.fromEntries(
	languages.map((tag) => [tag, parse(readFileSync(new URL(`messages/active.${tag}.toml`, folder), 'utf8'))])
);
const keys = Object.keys(all.en).sort();

const types = ['// Written by tools/words.mjs from messages/active.en.toml.', ''];
types.push('export type Word = string | { one: string; other: string };', '');
types.push('/** The names of all words, and what each of them takes. */', 'export interface Words {');
for (const key of keys) {
	const taken = argumentsOf(all.en[key]).map((name) => `${name}: string | number`);
	types.push(`\t${JSON.stringify(key)}: ${taken.length ? `{ ${taken.join('; ')} }` : 'undefined'};`);
}
types.push('}', '');
writeFileSync(new URL('words.gen.ts', folder), types.join('\n'));

for (const tag of languages) {
	const missing = keys.filter((key) => !all[tag][key]);
	if (missing.length) throw new Error(`messages/active.${tag}.toml lacks ${missing.join(', ')}`);
	const lines = keys.map((key) => `\t${JSON.stringify(key)}: ${valueOf(all[tag][key])},`);
	writeFileSync(
		new URL(`words.${tag}.gen.ts`, folder),
		`import type { Word, Words } from './words.gen';\n\nconst words: Record<keyof Words, Word> = {\n${lines.join('\n')}\n};\n\nexport default words;\n`
	);
}
