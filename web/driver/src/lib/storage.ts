// Whether the phone has promised to keep what the app stores. Without that it may delete what waits to be sent.
import type { operations } from '$shared/contract.gen';

type Storage = NonNullable<NonNullable<operations['getDriverRoute']['parameters']['header']>['Waybill-App-Storage']>;

/** What the phone says of it; nothing where it cannot tell. */
export async function storageOf(): Promise<Storage | undefined> {
	const kept = await navigator.storage?.persisted?.().catch(() => undefined);
	return kept === undefined ? undefined : kept ? 'KEPT' : 'EVICTABLE';
}
