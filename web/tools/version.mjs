// The version of an app: a hash of its sources. The same sources have the same
// version on every machine, and so does a build without a name.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/** Files that others write next to the sources: packages, and the code reader. */
const ignored = /(^|\/)(node_modules|\.svelte-kit|dist|scanner)\//;

/** Hashes files by their names below a folder and their content. */
function hashOf(folder, paths) {
	const hash = createHash('sha256');
	for (const path of paths.sort()) hash.update(`${path}\0`).update(readFileSync(new URL(path, folder))).update('\0');
	return hash.digest('hex').slice(0, 16);
}

const filesBelow = (folder) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => `${entry.parentPath.replace(/\/?$/, '/')}${entry.name}`.slice(folder.pathname.length));

/**
 * Returns the version of the code reader, as copied next to the driver's app by tools/scanner.mjs.
 */
export function scannerVersion() {
	const folder = new URL('driver/static/scanner/', root);
	return existsSync(folder) ? hashOf(folder, filesBelow(folder)) : 'none';
}

/** Returns the version of the app in a folder. */
export function versionOf(app) {
	const paths = ['package-lock.json', `${app}/svelte.config.js`, `${app}/vite.config.js`];
	for (const folder of [`${app}/src/`, `${app}/static/`, 'shared/', 'tools/']) {
		paths.push(...filesBelow(new URL(folder, root)).map((path) => folder + path).filter((path) => !ignored.test(path)));
	}
	return hashOf(root, paths);
}
