import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { scannerVersion } from '../tools/version.mjs';

// `npm run dev:driver` shows the sources as they are, over the API of a running service.
const service = process.env.WAYBILL_URL ?? 'http://localhost:8080';

export default defineConfig({
	plugins: [sveltekit()],
	define: { SCANNER_VERSION: JSON.stringify(scannerVersion()) },
	// Chunks that are loaded later name only their styles: their scripts are
	// mostly loaded by then, and their names would enlarge every first view.
	build: { assetsInlineLimit: 0, modulePreload: { resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')) } },
	server: { proxy: { '/v1': service }, fs: { allow: ['..'] } },
	test: { include: ['tests/**/*.test.ts'], css: true } // a test reads the colors of the style sheet
});
