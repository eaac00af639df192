import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { neededBy, ofPages, openedWith } from '../tools/chunks.mjs';

// `npm run dev` shows the sources as they are, over the API of a running service.
const service = process.env.WAYBILL_URL ?? 'http://localhost:8080';
const proxied = ['/v1', '/v2', '/v3', '/sign-in', '/sign-out', '/account', '/openapi.yaml', '/openapi-3.1.yaml', '/docs', '/llms.txt'];

// What most pages need at once is one file. So is what a page shares with the day: that opens with few requests then.
// The frame of lists is not in it, so that an order's page does not load it; nor are the records that fields name, which
// are a file of their own.
const ofLists = /\/(FilterBar|ListPage|Pager)\.svelte/;
const named = /\/shared\/forms\.gen\.ts|\/lib\/forms\/[nN]amed\.svelte/;

// What every page loads once it is visible, and what a day does.
const ofFrame = [
	'/lib/frame/Help.svelte', '/lib/frame/Suggestions.svelte', '/lib/forms/validity.ts', '/lib/dates/Field.svelte',
	'/shared/ui/ToastList.svelte'
];
// SvelteKit links its style sheet from every page.
const ofRegister = '/lib/places/Addresses.svelte';
const ofDay = [
	'/lib/day/Board.svelte', '/lib/day/Inspector.svelte', '/lib/day/KeyFigures.svelte', '/lib/day/UnplannedList.svelte',
	'/lib/day/ChooseDriver.svelte', '/lib/day/MoveDialog.svelte', '/lib/day/HandoverDialog.svelte',
	'/lib/day/since/SinceButton.svelte', '/lib/alerts/DayAlerts.svelte', '/lib/chat/DayMessages.svelte'
];
const day = '/routes/day/[date]/+page.svelte';

// A group also takes what its modules need, unless one of a higher priority did. So what pages need at once comes
// before what is loaded later.
const groups = [
	{ name: ofPages('pages', { day: [day, ...ofDay], styles: [...ofFrame, ofRegister] }), priority: 5, test: (id) => !ofLists.test(id) && !named.test(id) },
	{ name: 'named', test: named, priority: 4 },
	{ name: neededBy(day, 'day', { alone: true }), priority: 3 },
	{ name: openedWith(ofFrame, 'frame-later'), priority: 2 },
	{ name: openedWith(ofDay, 'day-later'), priority: 1 }
];

export default defineConfig({
	plugins: [sveltekit()],
	build: { assetsInlineLimit: 0, rolldownOptions: { output: { codeSplitting: { groups } } } },
	test: { css: true }, // a test reads the colors of the style sheet
	server: { proxy: Object.fromEntries(proxied.map((path) => [path, service])), fs: { allow: ['..'] } }
});
