// Scan sounds, which the first screen does not need.

/** Signals that a code was read, and whether it was expected. */
export const beep = (good: boolean): void => void import('./beep').then((sounds) => sounds.beep(good));
