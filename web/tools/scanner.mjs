// Copies the code reader next to the driver's app, as separate files that are
// fetched only for scanning. They load their bytes from here, and not from a
// foreign host.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const from = join(dirname(createRequire(import.meta.url).resolve('zxing-wasm/reader')), '../..');
const to = fileURLToPath(new URL('../driver/static/scanner/', import.meta.url));

mkdirSync(join(to, 'reader'), { recursive: true });
for (const name of ['reader/index.js', 'share.js']) {
	const source = readFileSync(join(from, 'es', name), 'utf8');
	writeFileSync(join(to, name), source.replaceAll(/https:\/\/[a-z.]*jsdelivr\.net/g, ''));
}
copyFileSync(join(from, 'reader/zxing_reader.wasm'), join(to, 'zxing_reader.wasm'));
copyFileSync(join(from, '../LICENSE'), join(to, 'LICENSE.txt'));
