// What is done with several orders at once, one after the other, with the result of each.
import { api, ask, asProblem } from '$shared/api';
import { say } from '$shared/toasts.svelte';
import { t } from '$shared/words.svelte';
import type { Day, Place } from './day.svelte';
import { numbers } from './moves.svelte';

/** What came of an order: nothing if it is done, or why it is not. */
export interface Result {
	order: Place;
	why: string;
}

/** Acts on each order, and says what came of it. */
export async function each(orders: Place[], act: (order: Place) => Promise<unknown>, ondone?: (done: number) => void): Promise<Result[]> {
	const results: Result[] = [];
	for (const order of orders) {
		try {
			await act(order);
			results.push({ order, why: '' });
		} catch (error) {
			results.push({ order, why: asProblem(error).message || t('failure.unreachable') });
		}
		ondone?.(results.length);
	}
	return results;
}

const setLock = (orderId: number, driverId: number | null) =>
	ask(api.PUT('/v1/orders/{orderId}/driver-lock', { params: { path: { orderId } }, body: { driver_id: driverId } }));

/** Locks orders to their drivers, or unlocks them, and offers to undo that. */
export async function lockAll(day: Day, orders: Place[], wanted: boolean): Promise<void> {
	const some = orders.filter((order) => order.locked !== wanted && (!wanted || order.driverId !== null));
	const results = await each(some, (order) => setLock(order.orderId, wanted ? order.driverId : null));
	const done = results.filter(({ why }) => !why).map(({ order }) => order);
	const before = (order: Place) => setLock(order.orderId, order.lock?.driverId ?? null);
	tell(results, () => t(wanted ? 'board.locked' : 'board.unlocked', { count: done.length, number: numbers(done) }), {
		label: t('action.undo'),
		act: () => void each(done, before).then((undone) => (tell(undone, () => t('day.undone', { count: done.length, number: numbers(done) })), day.reload()))
	});
	await day.reload();
}

/** Says how many are done, and why others are not. */
function tell(results: Result[], text: () => string, action?: { label: string; act: () => void }): void {
	const refused = results.filter(({ why }) => why);
	if (results.length > refused.length) say(text(), action ? { action } : {});
	for (const { order, why } of refused.slice(0, 3)) say(`${order.number}: ${why}`, { kind: 'failed' });
	if (results.length === 0) say(t('board.nothing_to_do'));
}
