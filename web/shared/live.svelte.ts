// Hints of changes. A hint names a record without its content: a page that
// shows it reads it again, so a lost hint does no harm.
import type { Schema } from './api';

export type Hint = Schema<'LiveHint'>;

type Listener = (hint: Hint | undefined) => void;

const listeners = new Set<Listener>();
const state = $state({ live: false });
let source: EventSource | undefined;
let poll: ReturnType<typeof setInterval> | undefined;
let closing: ReturnType<typeof setTimeout> | undefined;

const pollEvery = 30_000;
const hiddenFor = 60_000;

/** Whether changes arrive as they happen. */
export const isLive = (): boolean => state.live;

/** Calls a listener at each hint, and without one when anything may have changed. Returns how to stop. */
export function onHint(listener: Listener): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Whether a hint concerns the page; without a hint anything may have changed. */
export type Concerns = (hint?: Hint) => boolean;

/**
 * Loads again after hints that concern it: once for all hints of a moment, never twice at a time, at most
 * once in `every` milliseconds, and not while the page is hidden. Returns how to stop.
 */
export function refreshOnHint(concerns: Concerns, load: () => Promise<unknown>, { wait = 500, every = 3000 } = {}): () => void {
	let isDue = false;
	let isBusy = false;
	let isOver = false;
	let last = -Infinity;
	let timer: ReturnType<typeof setTimeout> | undefined;

	function plan() {
		if (!isDue || isBusy || isOver || timer !== undefined || document.hidden) return;
		timer = setTimeout(() => void run(), Math.max(wait, last + every - Date.now()));
	}

	async function run() {
		timer = undefined;
		if (document.hidden) return;
		isDue = false;
		isBusy = true;
		last = Date.now();
		try {
			await load();
		} finally {
			isBusy = false;
			plan();
		}
	}

	const stop = onHint((hint) => {
		if (!concerns(hint)) return;
		isDue = true;
		plan();
	});
	document.addEventListener('visibilitychange', plan);
	return () => {
		isOver = true;
		clearTimeout(timer);
		stop();
		document.removeEventListener('visibilitychange', plan);
	};
}

const tell = (hint?: Hint): void => listeners.forEach((listener) => listener(hint));

let stream = '';

function open(): void {
	if (source) return;
	source = new EventSource(stream);
	source.onopen = () => setLive(true);
	source.onerror = () => {
		setLive(false);
		if (source?.readyState === EventSource.CLOSED) close(); // rejected: poll
	};
	source.addEventListener('hint', (event) => tell(JSON.parse(event.data) as Hint));
	source.addEventListener('reset', () => tell());
}

function close(): void {
	source?.close();
	source = undefined;
	setLive(false);
}

function setLive(live: boolean): void {
	state.live = live;
	if (live) {
		clearInterval(poll);
		poll = undefined;
	} else {
		poll ??= setInterval(() => {
			if (document.hidden) return;
			tell();
			open();
		}, pollEvery);
	}
}

/** Listens to a stream for as long as the page is looked at. Returns how to stop. */
export function listen(path = '/v1/events/stream'): () => void {
	stream = path;
	const seen = () => {
		clearTimeout(closing);
		if (document.hidden) {
			closing = setTimeout(close, hiddenFor);
		} else if (!source) {
			open();
			tell();
		}
	};
	open();
	document.addEventListener('visibilitychange', seen);
	return () => {
		document.removeEventListener('visibilitychange', seen);
		close();
		clearInterval(poll);
		poll = undefined;
	};
}
