// The parts of the day that are loaded after the page, each with the texts that only they have.
import { speakMore } from '$shared/words.svelte';

const withWords = async <Part>(loading: Promise<Part>): Promise<Part> => (await Promise.all([loading, speakMore()]))[0];

export const loadBoard = () => withWords(import('./Board.svelte'));
export const loadMap = () => withWords(import('./PlanMap.svelte'));
export const loadInspector = () => withWords(import('./Inspector.svelte'));
