// The parts of the day that are loaded after the page, each with the texts that only they have.
import { withWords } from '$shared/words.svelte';

export const loadBoard = () => withWords(import('./Board.svelte'));
export const loadMap = () => withWords(import('./PlanMap.svelte'));
export const loadInspector = () => withWords(import('./Inspector.svelte'));

/** Passes a part on once the present frame is visible, so that parts that are ready together are not one long task. */
export const afterFrame = <T>(part: T) => new Promise<T>((done) => requestAnimationFrame(() => setTimeout(() => done(part))));
