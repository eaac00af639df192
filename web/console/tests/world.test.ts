import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';

const path = new URL('../src/lib/map/world.json', import.meta.url);

test('the world is at most 1.5 MB, with its land, borders, towns and credits', () => {
	expect(statSync(path).size).toBeLessThanOrEqual(1_500_000);
	const { attribution, objects, towns } = JSON.parse(readFileSync(path, 'utf8'));
	expect(attribution).toMatch(/Natural Earth.*GeoNames/);
	expect(objects.land.arcs.length).toBeGreaterThan(1000);
	expect(objects.borders.arcs.length).toBeGreaterThan(200);
	expect(towns.find(([name]: [string]) => name === 'Reykjavík')?.[3]).toBe(0);
});
