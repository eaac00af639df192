import { expect, test } from 'vitest';
import { coastsOf } from '../src/lib/map/coasts';

test('a coast has no line where the basemap is cut', () => {
	const cut = [[[0, 0], [10, 0], [10, 4], [7, 5], [10, 6], [10, 10], [0, 10], [0, 0]]] as [number, number][][];
	const island = [[[3, 3], [4, 3], [4, 4], [3, 3]]] as [number, number][][];
	expect(coastsOf([cut, island], [[0, 0, 10, 10]])).toEqual([
		[[10, 4], [7, 5], [10, 6]],
		[[3, 3], [4, 3], [4, 4], [3, 3]]
	]);
});
