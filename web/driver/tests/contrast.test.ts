import { expect, test } from 'vitest';
import css from '../src/lib/driver.css?raw';

const block = /html\[data-contrast='high'\] \{([^}]*)\}/.exec(css)![1]!;
const colors = new Map(
	[...block.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(([, name, light, dark]) => [name!, [light!, dark!]])
);

function brightness(color: string): number {
	const [red, green, blue] = [1, 3, 5].map((at) => {
		const part = parseInt(color.slice(at, at + 2), 16) / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: string, b: string): number {
	const [dark, light] = [brightness(a), brightness(b)].sort((one, other) => one - other);
	return (light! + 0.05) / (dark! + 0.05);
}

const grounds = ['ground', 'paper', 'raised', 'sunken'];
const pairs: [string, string][] = [
	...['ink', 'soft', 'go', 'stop', 'warn', 'good'].flatMap((text) => grounds.map((ground): [string, string] => [text, ground])),
	...['go', 'stop', 'warn', 'good'].flatMap((text): [string, string][] => [[text, `${text}-tint`], ['ink', `${text}-tint`], ['soft', `${text}-tint`]]),
	['on-go', 'go'], ['paper', 'stop']
];

test.each(pairs)('with high contrast, %s stands out from %s by 7:1', (text, ground) => {
	for (const turn of [0, 1]) {
		expect(contrast(colors.get(text)![turn]!, colors.get(ground)![turn]!)).toBeGreaterThanOrEqual(7);
	}
});
