// Writes the English texts of screens, errors and the contract as Markdown, one paragraph
// each, so that they can be checked like documents: node texts.mjs FOLDER.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { parse } from 'smol-toml';

const root = join(import.meta.dirname, '..');
const folder = process.argv[2];
mkdirSync(folder, { recursive: true });

const catalogues = { api: 'api/edge/messages', console: 'web/shared/messages', driver: 'web/driver/messages' };
for (const [name, path] of Object.entries(catalogues)) {
	const texts = parse(readFileSync(join(root, path, 'active.en.toml'), 'utf8'));
	write(name, Object.entries(texts).flatMap(([key, { one, other }]) => [one, other].filter(Boolean).map((text) => [key, text])));
}

const pieces = 'api/contract/openapi';
for (const file of readdirSync(join(root, pieces)).filter((name) => name.endsWith('.yaml'))) {
	write(`contract-${file.replace('.yaml', '')}`, textsOf(load(readFileSync(join(root, pieces, file), 'utf8')), []));
}

/** The summaries and descriptions of a part of the contract, with their places in it. */
function textsOf(node, place) {
	if (typeof node !== 'object' || node === null) return [];
	return Object.entries(node).flatMap(([key, value]) => {
		if ((key === 'description' || key === 'summary') && typeof value === 'string') return [[place.join('.'), value]];
		return key === 'example' || key === 'value' ? [] : textsOf(value, [...place, key]);
	});
}

// Placeholders are code, which is not checked.
function write(name, texts) {
	const shown = (text) => text.replaceAll(/\{\{.*?\}\}/g, '`value`');
	writeFileSync(join(folder, `${name}.md`), texts.map(([place, text]) => `\`${place}\`\n\n${shown(text)}\n`).join('\n'));
}
