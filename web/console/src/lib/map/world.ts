// The coastlines, borders and towns of the whole world, which are drawn where no region is. The
// file is large, so it is loaded by the first map that is drawn, and after it.
import type { FeatureCollection, MultiLineString, MultiPolygon } from 'geojson';
import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import { feature } from 'topojson-client';
import type { GeometryCollection, MultiLineString as Lines, MultiPolygon as Polygons, Topology } from 'topojson-specification';
import type { Colors } from './style';
import url from './world.json?url';

interface File extends Topology<{ land: Polygons; borders: Lines; [name: string]: Polygons | Lines | GeometryCollection }> {
	attribution: string;
	/** Name, longitude, latitude and rank; 0 is the most important. */
	towns: [string, number, number, number][];
}

export interface World {
	attribution: string;
	land: MultiPolygon;
	borders: MultiLineString;
	towns: FeatureCollection;
}

let loaded: Promise<World> | undefined;

/** The world. It is loaded once; a failure may be tried again. */
export function world(): Promise<World> {
	loaded ??= load().catch((error: unknown) => {
		loaded = undefined;
		throw error;
	});
	return loaded;
}

async function load(): Promise<World> {
	const answer = await fetch(url);
	if (!answer.ok) throw new Error(`the map of the world: ${answer.status}`);
	const file = (await answer.json()) as File;
	return {
		attribution: file.attribution,
		land: feature(file, file.objects.land).geometry,
		borders: feature(file, file.objects.borders).geometry,
		towns: {
			type: 'FeatureCollection',
			features: file.towns.map(([name, longitude, latitude, rank]) => ({
				type: 'Feature',
				properties: { name, rank },
				geometry: { type: 'Point', coordinates: [longitude, latitude] }
			}))
		}
	};
}

/** The sources of the world, empty until it is loaded. */
export function worldSources(known: World | undefined): Record<string, SourceSpecification> {
	const nothing: FeatureCollection = { type: 'FeatureCollection', features: [] };
	const attribution = known ? { attribution: known.attribution } : {};
	return {
		'world-land': { type: 'geojson', data: known?.land ?? nothing, tolerance: 0.2, ...attribution },
		'world-borders': { type: 'geojson', data: known?.borders ?? nothing, tolerance: 0.2 },
		'world-towns': { type: 'geojson', data: known?.towns ?? nothing }
	};
}

/** Land and borders, which are below everything else. */
export const worldLayers = (colors: Colors): LayerSpecification[] => [
	{ id: 'world-land', type: 'fill', source: 'world-land', paint: { 'fill-color': colors.land } },
	{ id: 'world-coast', type: 'line', source: 'world-land', paint: { 'line-color': colors.coast, 'line-width': 0.75 } },
	{ id: 'world-borders', type: 'line', source: 'world-borders', paint: { 'line-color': colors.edge, 'line-width': 1, 'line-dasharray': [4, 3] } }
];

/** The names of towns; the smaller ones appear from nearer. */
export const worldNames = (colors: Colors): LayerSpecification => ({
	id: 'world-towns',
	type: 'symbol',
	source: 'world-towns',
	filter: ['<=', ['get', 'rank'], ['step', ['zoom'], 0, 4, 1, 6, 2]],
	layout: {
		'text-field': ['get', 'name'],
		'text-font': ['sans-serif'],
		'text-size': ['match', ['get', 'rank'], 0, 14, 1, 12, 11],
		'symbol-sort-key': ['get', 'rank']
	},
	paint: { 'text-color': colors.name, 'text-halo-color': colors.land, 'text-halo-width': 1.5 }
});
