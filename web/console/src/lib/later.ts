// Pieces that pages load later, with their texts, so that the first view stays small.
import { speakMore } from '$shared/words.svelte';

/** Waits for a piece and its texts. */
export async function withWords<Piece>(piece: Promise<Piece>): Promise<Piece> {
	const [loaded] = await Promise.all([piece, speakMore()]);
	return loaded;
}
