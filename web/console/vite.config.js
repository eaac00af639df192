import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

// `npm run dev` shows the sources as they are, over the API of a running service.
const service = process.env.WAYBILL_URL ?? 'http://localhost:8080';
const proxied = ['/v1', '/v2', '/v3', '/sign-in', '/sign-out', '/account', '/openapi.yaml', '/docs'];

export default defineConfig({
	plugins: [sveltekit()],
	build: { assetsInlineLimit: 0 },
	server: { proxy: Object.fromEntries(proxied.map((path) => [path, service])), fs: { allow: ['..'] } }
});
