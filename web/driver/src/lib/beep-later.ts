// The sounds of a read code are no part of what a screen shows first.

/** Says that a code was read, and whether it was one that was looked for. */
export const beep = (good: boolean): void => void import('./beep').then((sounds) => sounds.beep(good));
