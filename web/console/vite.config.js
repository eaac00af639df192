import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

// `npm run dev` shows the sources as they are, over the API of a running service.
const service = process.env.WAYBILL_URL ?? 'http://localhost:8080';
const proxied = ['/v1', '/v2', '/v3', '/sign-in', '/sign-out', '/account', '/openapi.yaml', '/openapi-3.1.yaml', '/docs', '/llms.txt'];

// Without groups each small module is a separate file, and a first view takes
// some 50 requests. What most pages share is one file, and what many share
// another. The frame of lists is not in them, so that an order's page does not
// load it; nor are the records that fields name, which are a file of their own.
const ofLists = /\/(FilterBar|ListPage|Pager)\.svelte/;
const named = /\/shared\/forms\.gen\.ts|\/lib\/forms\/[nN]amed\.svelte/;
const groups = [
	{ name: 'frame', minShareCount: 80, priority: 2 },
	{ name: 'pages', minShareCount: 20, priority: 1, test: (id) => !ofLists.test(id) && !named.test(id) },
	{ name: 'named', test: named }
];

export default defineConfig({
	plugins: [sveltekit()],
	build: { assetsInlineLimit: 0, rolldownOptions: { output: { codeSplitting: { groups } } } },
	test: { css: true }, // a test reads the colors of the style sheet
	server: { proxy: Object.fromEntries(proxied.map((path) => [path, service])), fs: { allow: ['..'] } }
});
