// The apps that lead a driver to a place.
export const navigators = ['geo', 'google', 'apple', 'waze'] as const;
export type Navigator = (typeof navigators)[number];

/** The usual app of a phone's system. */
export const likely = (agent: string): Navigator => (/iPhone|iPad|Mac OS/.test(agent) ? 'apple' : 'geo');
