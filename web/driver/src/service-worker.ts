/// <reference lib="webworker" />
// Keeps the app on the phone. A new version waits until the old one is closed, or until
// the driver asks for it: nothing changes under somebody's fingers.
import { base, build, files, version } from '$service-worker';

const worker = self as unknown as ServiceWorkerGlobalScope;

const shell = `shell-${version}`;
declare const SCANNER_VERSION: string;
/**
 * The code reader is cached after the first scan; the app must not fail for it on a bad network. A
 * new reader has a new name.
 */
const scanner = `scanner-${SCANNER_VERSION}`;
const scannerPath = `${base}/scanner/`;
const paths = [`${base}/`, ...build, ...files.filter((file) => !file.startsWith(scannerPath))];

worker.addEventListener('install', (event) => {
	const fill = async () => (await caches.open(shell)).addAll(paths.map((path) => new Request(path, { cache: 'no-cache' })));
	event.waitUntil(fill());
});

worker.addEventListener('activate', (event) => {
	const forget = async () => {
		const old = (await caches.keys()).filter((name) => name !== shell && name !== scanner);
		await Promise.all(old.map((name) => caches.delete(name)));
	};
	event.waitUntil(forget());
});

worker.addEventListener('message', (event) => {
	if (event.data === 'take over') void worker.skipWaiting();
});

worker.addEventListener('fetch', (event) => {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (request.method !== 'GET' || origin !== location.origin) return;
	if (request.mode === 'navigate') event.respondWith(kept(`${base}/`, request));
	else if (paths.includes(pathname)) event.respondWith(kept(pathname, request));
	else if (pathname.startsWith(scannerPath)) event.respondWith(keptFromNow(request));
});

async function kept(path: string, request: Request): Promise<Response> {
	return (await (await caches.open(shell)).match(path)) ?? fetch(request);
}

async function keptFromNow(request: Request): Promise<Response> {
	const cache = await caches.open(scanner);
	const found = await cache.match(request);
	if (found) return found;
	const answer = await fetch(request);
	if (answer.ok) await cache.put(request, answer.clone());
	return answer;
}
