import { expect, test } from 'vitest';
import world from '../src/lib/map/world.json?raw';

test('the world is at most 1.5 MB, with its land, borders, towns and credits', () => {
	expect(new TextEncoder().encode(world).length).toBeLessThanOrEqual(1_500_000);
	const { attribution, objects, towns } = JSON.parse(world);
	expect(attribution).toMatch(/Natural Earth.*GeoNames/);
	expect(objects.land.arcs.length).toBeGreaterThan(1000);
	expect(objects.borders.arcs.length).toBeGreaterThan(200);
	expect(towns.find(([name]: [string]) => name === 'Reykjavík')?.[3]).toBe(0);
});
