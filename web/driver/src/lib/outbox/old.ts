// Deletes old data. It never deletes unsent actions and pictures.
import type { Store } from './store';

/** Forgets answers, and pictures that were refused, after this many milliseconds. */
const answersLast = 14 * 24 * 3600e3;
/** Deletes routes, including contacts at stops, after this many days. */
const routesLast = 48 * 3600e3;

/** Deletes old data. */
export function tidy(store: Store, now: number): Promise<void> {
	const isOver = (day: string | undefined) => day !== undefined && Date.parse(day) + 24 * 3600e3 < now - routesLast;
	return store.forget({
		kept: (_, key) => isOver(/^\d+\/(\d{4}-\d\d-\d\d)\//.exec(key)?.[1]),
		answers: ({ answeredAt, seen }) => seen && Date.parse(answeredAt) < now - answersLast,
		routes: ({ date }) => isOver(date),
		pictures: ({ refused, refusedAt = 0 }) => refused !== undefined && refusedAt < now - answersLast
	});
}

/** Deletes all data of a driver when the phone is disconnected. Nothing may be unsent. */
export function forgetDriver(store: Store, driver: number): Promise<void> {
	const isOwn = (row: { driver: number }) => row.driver === driver;
	return store.forget({ kept: (_, key) => key.startsWith(`${driver}/`), answers: isOwn, routes: isOwn, pictures: isOwn });
}
