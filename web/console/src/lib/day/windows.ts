// Later time windows, which customers agree to.
import { api, ask, type Schema } from '$shared/api';
import { clock } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { say } from '$shared/toasts.svelte';
import { t } from '$shared/words.svelte';
import type { LaterWindow } from './worklist';

/** Sets the window of a stop. */
function set({ orderId, stop, earliest }: LaterWindow, latest: string): Promise<unknown> {
	const body: Schema<'OrderByHand'> = { [stop]: { earliest, latest } };
	return ask(api.PUT('/v1/orders/{orderId}', { params: { path: { orderId } }, body }));
}

/** Extends time windows, one after the other, and offers to undo that. */
export async function extend(windows: LaterWindow[], number: string, ondone: () => void): Promise<void> {
	const done: LaterWindow[] = [];
	try {
		for (const window of windows) {
			await set(window, window.latest);
			done.push(window);
		}
	} finally {
		if (done.length) {
			const until = clock(done[0]!.latest, zone());
			const text = done.length === 1 ? t('work.extended', { number, time: until }) : t('work.extended_all', { count: done.length });
			say(text, { action: { label: t('action.undo'), act: () => void shorten(done, ondone) } });
			ondone();
		}
	}
}

async function shorten(windows: LaterWindow[], ondone: () => void): Promise<void> {
	for (const window of windows) await set(window, window.was);
	say(t('work.shortened', { count: windows.length }));
	ondone();
}
