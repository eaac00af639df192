// Whether the phone guarantees to keep the app's data. Otherwise it may delete
// unsent actions.
import type { operations } from '$shared/contract.gen';

type Storage = NonNullable<NonNullable<operations['getDriverRoute']['parameters']['header']>['Waybill-App-Storage']>;

/** The phone's answer; nothing if it can't tell. */
export async function storageOf(): Promise<Storage | undefined> {
	const kept = await navigator.storage?.persisted?.().catch(() => undefined);
	return kept === undefined ? undefined : kept ? 'KEPT' : 'EVICTABLE';
}
