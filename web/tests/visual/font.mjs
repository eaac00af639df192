// A font in which every character is a box, half an em wide. Text then takes the same room on every
// machine, whatever fonts it has and however it renders them, so lines break in the same places.

const em = 1000;
const [ascent, descent] = [800, -200];

const u16 = (...values) => values.flatMap((value) => [(value >> 8) & 255, value & 255]);
const u32 = (...values) => values.flatMap((value) => u16(Math.floor(value / 65536), value % 65536));
const text = (word) => [...word].map((letter) => letter.charCodeAt(0));

/** A box as a simple glyph: one contour of four points, with coordinates as differences. */
const box = [...u16(1, 50, 0, 450, 700), ...u16(3, 0), 1, 1, 1, 1, ...u16(50, 0, 400, 0), ...u16(0, 700, 0, -700)];
const glyph = box.concat(Array(-box.length & 3).fill(0));

/** The names that a font must have. */
function names() {
	const said = Object.entries({ 1: 'Boxes', 2: 'Regular', 4: 'Boxes', 6: 'Boxes' });
	let strings = [];
	const records = said.flatMap(([id, name]) => {
		const letters = [...name].flatMap((letter) => u16(letter.charCodeAt(0)));
		strings = strings.concat(letters);
		return u16(3, 1, 0x409, Number(id), letters.length, strings.length - letters.length);
	});
	return [...u16(0, said.length, 6 + records.length), ...records, ...strings];
}

const tables = {
	'OS/2': [
		...u16(4, em / 2, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0), ...Array(10).fill(0), ...u32(0, 0, 0, 0), ...text('NONE'),
		...u16(64, 32, 0xffff, ascent, descent, 0, ascent, -descent), ...u32(0, 0), ...u16(500, 700, 0, 32, 0)
	],
	// Format 13 gives all characters one glyph.
	cmap: [...u16(0, 1, 3, 10), ...u32(12), ...u16(13, 0), ...u32(28, 0, 1, 32, 0x10ffff, 1)],
	glyf: [...glyph, ...glyph],
	head: [
		...u32(0x00010000, 0x00010000, 0, 0x5f0f3cf5), ...u16(3, em), ...u32(0, 0, 0, 0),
		...u16(50, 0, 450, 700, 0, 8, 2, 0, 0)
	],
	hhea: [...u32(0x00010000), ...u16(ascent, descent, 0, em / 2, 50, 50, 450, 1, 0, 0, 0, 0, 0, 0, 0, 1)],
	hmtx: u16(em / 2, 50, 50),
	loca: u16(0, glyph.length / 2, glyph.length),
	maxp: [...u32(0x00010000), ...u16(2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)],
	name: names(),
	post: [...u32(0x00030000, 0), ...u16(0, 0), ...u32(1, 0, 0, 0, 0)]
};

const padded = (bytes) => bytes.concat(Array(-bytes.length & 3).fill(0));

function sumOf(bytes) {
	const all = padded(bytes);
	let sum = 0;
	for (let at = 0; at < all.length; at += 4) sum = (sum + (all[at] << 24 >>> 0) + (all[at + 1] << 16) + (all[at + 2] << 8) + all[at + 3]) >>> 0;
	return sum;
}

function fontOf(parts) {
	const entries = Object.entries(parts);
	const power = 2 ** Math.floor(Math.log2(entries.length));
	let at = 12 + 16 * entries.length;
	const directory = entries.flatMap(([tag, bytes]) => {
		const entry = [...text(tag), ...u32(sumOf(bytes), at, bytes.length)];
		at += padded(bytes).length;
		return entry;
	});
	const head = [...u32(0x00010000), ...u16(entries.length, power * 16, Math.log2(power), (entries.length - power) * 16)];
	return [...head, ...directory, ...entries.flatMap(([, bytes]) => padded(bytes))];
}

/** The font, as bytes of a TrueType file. */
export const boxes = fontOf(tables);
