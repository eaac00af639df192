// The wire is fetched when there is something to send: what a driver sees first does not
// wait for it.
import type { Wire } from './wire';

/** A wire that is loaded when it is used. Where it cannot be had, what waits goes on waiting. */
export function wireLater(language: () => string): Wire {
	const loaded = () => import('./wire').then(({ wireOf }) => wireOf(language), () => undefined);
	return {
		send: async (action) => (await loaded())?.send(action) ?? { kind: 'later', failure: 'network' },
		bring: async (picture) => (await loaded())?.bring(picture) ?? { kind: 'later', failure: 'network' }
	};
}
