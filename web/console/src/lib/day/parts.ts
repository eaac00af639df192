// The parts of the day that are loaded after the page, each with the texts that only they have.
import { withWords } from '$shared/words.svelte';
import { afterFrame } from './frame';

export const loadBoard = () => withWords(import('./Board.svelte'));
export const loadMap = () => withWords(import('./PlanMap.svelte'));
export const loadInspector = () => withWords(import('./Inspector.svelte'));

/** Passes a part on once the present frame is visible. */
export const nextFrame = <T>(part: T) => new Promise<T>((done) => void afterFrame(() => done(part)));
