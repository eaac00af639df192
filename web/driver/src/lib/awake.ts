// Keeps the screen on while a route is under way. A phone that sleeps says no longer where it is.
let isWanted = false;
let lock: WakeLockSentinel | undefined;
let isAsking = false;

/** Keeps the screen on from now, or lets it go dark again. */
export function keepAwake(wanted: boolean): Promise<void> {
	isWanted = wanted;
	return follow();
}

/** Browsers take the lock away when the page is hidden, so that it is asked for when the driver is back. */
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
		// A phone that saves its battery says no.
		return;
	} finally {
		isAsking = false;
	}
	// What was wanted may be another thing by now.
	if (!isWanted || document.visibilityState !== 'visible') await follow();
}

document.addEventListener('visibilitychange', () => void follow());
