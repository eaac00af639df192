import adapter from '@sveltejs/adapter-static';
import { versionOf } from '../tools/version.mjs';

/** @type {import('@sveltejs/kit').Config} */
export default {
	compilerOptions: { runes: true },
	kit: {
		adapter: adapter({ pages: 'dist', fallback: 'index.html', precompress: true }),
		paths: { base: '/driver', relative: false },
		alias: { $shared: '../shared' },
		// Kit would stamp the build with the time otherwise, and no two builds would agree.
		version: { name: versionOf('driver') },
		output: { bundleStrategy: 'split' }
	}
};
