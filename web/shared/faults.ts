// Faults of the apps. They are reported to the service for its operators: which
// app, which version and which page, and where in the program. They contain no
// input.
import { version } from '$app/environment';

/** An app's name, and the pattern of the current page. */
const here = { app: '' as 'console' | 'driver' | '', route: () => '' };
const said = new Set<string>();
const most = 5; // of one page: a fault in a loop must not fill the network

/** Sets the app. Until then nothing is reported. */
export function reportFrom(app: 'console' | 'driver', route: () => string): void {
	here.app = app;
	here.route = route;
	addEventListener('error', (event) => report(event.error ?? event.message));
	addEventListener('unhandledrejection', (event) => report(event.reason));
}

/** Reports a fault once. */
export function report(fault: unknown): void {
	if (!here.app || (fault instanceof DOMException && fault.name === 'AbortError')) return;
	const message = (fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault)).slice(0, 300);
	if (said.has(message) || said.size >= most) return;
	said.add(message);
	const stack = (fault instanceof Error ? (fault.stack ?? '') : '').slice(0, 4000);
	const body = JSON.stringify({ app: here.app, release: version, route: here.route().slice(0, 200), message, stack });
	const headers = { 'Content-Type': 'application/json' };
	void fetch('/v1/client-errors', { method: 'POST', headers, body, keepalive: true }).catch(() => {});
}
