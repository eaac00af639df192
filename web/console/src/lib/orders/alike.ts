// Similar names, for a misspelled one.

const pairsOf = (text: string): string[] => {
	const letters = text.toLocaleLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	return letters.length < 2 ? [letters] : Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2));
};

/** How alike two texts are, from 0 to 1: the share of pairs of letters that both have. */
export function likeness(one: string, other: string): number {
	const [pairs, left] = [pairsOf(one), pairsOf(other)];
	const all = pairs.length + left.length;
	let both = 0;
	for (const pair of pairs) {
		const at = left.indexOf(pair);
		if (at < 0) continue;
		both++;
		left.splice(at, 1);
	}
	return (2 * both) / all;
}

/** The few texts most similar to a given one, best first; none that are not similar. */
export const alike = <Thing extends { name: string }>(text: string, things: Thing[], most = 3): Thing[] =>
	things
		.map((thing) => ({ thing, like: likeness(text, thing.name) }))
		.filter(({ like }) => like >= 0.4)
		.sort((a, b) => b.like - a.like)
		.slice(0, most)
		.map(({ thing }) => thing);
