import { expect, test } from 'vitest';
import tokens from '../../shared/tokens.css?raw';
import { colors, paintsOf, type Paint } from '../src/lib/day/colors';

const at = (driverId: number, latitude: number, longitude: number) => ({ driverId, stops: [{ latitude, longitude }] });

test('as many routes as there are colors all differ, and more have dashes', () => {
	const paints = new Map<number, Paint>();
	paintsOf(Array.from({ length: 24 }, (_, index) => at(index + 1, 59.9, 10.7)), paints);
	const all = [...paints.values()];
	expect(new Set(all.slice(0, colors).map(({ color }) => color)).size).toBe(colors);
	expect(all.slice(0, colors).every(({ dash }) => dash === 0)).toBe(true);
	expect(new Set(all.map(({ color, dash }) => `${color} ${dash}`)).size).toBe(24);
});

test('neighbors differ in color where routes share one', () => {
	const paints = new Map<number, Paint>();
	// Eight routes in the south, then two in the north: what is near a route has another color.
	const south = Array.from({ length: 8 }, (_, index) => at(index + 1, 55 + index, 10));
	paintsOf([...south, at(9, 55, 10), at(10, 55, 10)], paints);
	const [first, ninth, tenth] = [1, 9, 10].map((id) => paints.get(id)!.color);
	expect(new Set([first, ninth, tenth]).size).toBe(3);
});

test('a route keeps its color when others come', () => {
	const paints = new Map<number, Paint>();
	paintsOf([at(5, 59.9, 10.7)], paints);
	const before = paints.get(5);
	paintsOf([at(1, 59.9, 10.7), at(5, 59.9, 10.7)], paints);
	expect(paints.get(5)).toBe(before);
	expect(paints.get(1)!.color).not.toBe(before!.color);
});

// Björn Ottosson's OKLab, and how Machado, Oliveira and Fernandes simulate those who see no green or no red.
type Three = [number, number, number];
const times = (matrix: Three[], [a, b, c]: Three) => matrix.map(([x, y, z]) => x * a + y * b + z * c) as Three;
const linear = (color: string) =>
	[1, 3, 5].map((from) => parseInt(color.slice(from, from + 2), 16) / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)) as Three;
const lms: Three[] = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.63]];
const lab: Three[] = [[0.2105, 0.7936, -0.0041], [1.978, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]];
const sights: Three[][] = [
	[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
	[[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
	[[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
];
const seen = (color: string, sight: Three[]) => {
	const rgb = times(sight, linear(color)).map((value) => Math.min(1, Math.max(0, value))) as Three;
	return times(lab, times(lms, rgb).map(Math.cbrt) as Three);
};
const light = (color: string) => linear(color).reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index]!, 0);
const contrast = (a: string, b: string) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);

const pairs = [...tokens.matchAll(/--driver-\d: light-dark\((#\w{6}), (#\w{6})\)/g)];

test.each([
	['light', 1, ['#f5f3ec', '#ffffff', '#dbe8cf']],
	['dark', 2, ['#232b3a', '#172033', '#22352f']]
] as const)('in a %s theme the colors stand out from the map, and are told apart by people who confuse colors', (_, group, grounds) => {
	const palette = pairs.map((found) => found[group]!);
	expect(palette).toHaveLength(colors);
	for (const color of palette) for (const ground of grounds) expect(contrast(color, ground), `${color} on ${ground}`).toBeGreaterThanOrEqual(3);
	for (const sight of sights) {
		for (const [index, one] of palette.entries()) {
			for (const other of palette.slice(index + 1)) {
				const [a, b] = [seen(one, sight), seen(other, sight)];
				expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), `${one} and ${other}`).toBeGreaterThan(0.1);
			}
		}
	}
});
