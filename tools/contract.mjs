// Bundles the pieces of the contract, api/contract/openapi/*.yaml, into one document:
// node contract.mjs FILE. It includes what redocly.yaml adds to each operation. The documents
// for callers, as OpenAPI 3.0 and 3.1, are written to the folder published next to the file.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { dump } from 'js-yaml';
import { opened, upgraded } from './published.mjs';

const file = resolve(process.argv[2]);
const here = import.meta.dirname;
const redocly = join(here, 'node_modules/.bin/redocly');
const folder = mkdtempSync(join(tmpdir(), 'waybill-contract-'));
try {
	const bundle = join(folder, 'openapi.json');
	execFileSync(redocly, ['bundle', '--config', join(here, '../api/contract/redocly.yaml'), 'waybill', '--output', bundle], {
		env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' },
		stdio: ['ignore', 'ignore', 'pipe']
	});
	const contract = JSON.parse(readFileSync(bundle, 'utf8'));
	const published = join(dirname(file), 'published');
	mkdirSync(published, { recursive: true });
	writeFileSync(file, written(contract));
	writeFileSync(join(published, 'openapi.yaml'), written(opened(contract)));
	writeFileSync(join(published, 'openapi-3.1.yaml'), written(upgraded(contract)));
} catch (fault) {
	process.stderr.write(fault.stderr?.toString() ?? `${fault.stack}\n`);
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true });
}

/** The document as YAML that parsers of YAML 1.1 read as well. */
function written(contract) {
	for (const [kind, members] of Object.entries(contract.components)) {
		contract.components[kind] = Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
	}
	return `# Made by make contract from api/contract/openapi. Change the pieces there.\n${dump(contract, { lineWidth: 120, noRefs: true })}`;
}
