// The wire is loaded when there is something to send, so that the first screen
// does not wait for it.
import type { Wire } from './wire';

/** A wire that is loaded on first use. If it can't be loaded, unsent actions keep waiting. */
export function wireLater(language: () => string): Wire {
	const loaded = () => import('./wire').then(({ wireOf }) => wireOf(language), () => undefined);
	return {
		send: async (actions) => (await loaded())?.send(actions) ?? { kind: 'later', failure: 'network' },
		bring: async (picture) => (await loaded())?.bring(picture) ?? { kind: 'later', failure: 'network' }
	};
}
