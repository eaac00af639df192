// Keeps the screen on during a route. A sleeping phone no longer reports its
// position.
let isWanted = false;
let lock: WakeLockSentinel | undefined;
let isAsking = false;

/** Keeps the screen on from now, or lets it go dark again. */
export function keepAwake(wanted: boolean): Promise<void> {
	isWanted = wanted;
	return follow();
}

/**
 * Browsers release the lock when the page is hidden, so it is requested again when the driver
 * returns.
 */
async function follow(): Promise<void> {
	if (!('wakeLock' in navigator) || isAsking) return;
	const isVisible = document.visibilityState === 'visible';
	if (!isWanted || !isVisible) {
		await lock?.release();
		lock = undefined;
		return;
	}
	if (lock && !lock.released) return;
	isAsking = true;
	try {
		lock = await navigator.wakeLock.request('screen');
	} catch {
		// A phone in power-saving mode refuses.
		return;
	} finally {
		isAsking = false;
	}
	// The wish may have changed by now.
	if (!isWanted || document.visibilityState !== 'visible') await follow();
}

document.addEventListener('visibilitychange', () => void follow());
