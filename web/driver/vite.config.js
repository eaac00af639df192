import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { scannerVersion } from '../tools/version.mjs';

// `npm run dev:driver` shows the sources as they are, over the API of a running service.
const service = process.env.WAYBILL_URL ?? 'http://localhost:8080';

export default defineConfig({
	plugins: [sveltekit()],
	define: { SCANNER_VERSION: JSON.stringify(scannerVersion()) },
	// What is loaded later names only its styles: its scripts are mostly there by then, and their names cost every first view.
	build: { assetsInlineLimit: 0, modulePreload: { resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')) } },
	server: { proxy: { '/v1': service }, fs: { allow: ['..'] } },
	test: { include: ['tests/**/*.test.ts'] }
});
