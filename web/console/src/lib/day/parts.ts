// The parts of the day that are loaded after the page, each with the texts that only they have.
import { withWords } from '$shared/words.svelte';

export const loadBoard = () => withWords(import('./Board.svelte'));
export const loadMap = () => withWords(import('./PlanMap.svelte'));
export const loadInspector = () => withWords(import('./Inspector.svelte'));
