// The MapLibre style: our own coasts, streets if the installation has them,
// then routes and stops. It loads no fonts from a server.
import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import type { Schema } from '$shared/api';
import basemap from './basemap.json';
import { coastsOf, type Window } from './coasts';
import { groundOf, namesFrom, regionsOf } from './region';

export interface Colors {
	unknown: string;
	sea: string;
	land: string;
	coast: string;
	edge: string;
	street: string;
	road: string;
	highway: string;
	built: string;
	green: string;
	building: string;
	name: string;
	paper: string;
	go: string;
	ink: string;
	late: string;
	risk: string;
	drivers: string[];
}

type Drawn = Schema<'Map'>;

const byDriver = (colors: Colors) =>
	['match', ['get', 'color'], ...colors.drivers.flatMap((color, index) => [index, color]), colors.drivers[0]] as never;

/** The area of the basemap; outside of it, land and sea are unknown. */
const windows = (basemap.windows as Window[]).map(([west, south, east, north]) => [
	[[west, south], [east, south], [east, north], [west, north], [west, south]]
]);

const places = (basemap.places as [string, number, number, number][]).map(([name, longitude, latitude, rank]) => ({
	type: 'Feature' as const,
	properties: { name, rank },
	geometry: { type: 'Point' as const, coordinates: [longitude, latitude] }
}));

/** The names of places, in the system's fonts; those of towns take precedence. */
const names = (colors: Colors): LayerSpecification => ({
	id: 'names',
	type: 'symbol',
	source: 'places',
	layout: {
		'text-field': ['get', 'name'],
		'text-font': ['sans-serif'],
		'text-size': ['case', ['==', ['get', 'rank'], 0], 14, 12],
		'symbol-sort-key': ['get', 'rank']
	},
	paint: { 'text-color': colors.name, 'text-halo-color': colors.land, 'text-halo-width': 1.5 }
});

/** The complete style. The layers are added to a custom style later. */
export function styleOf(drawn: Drawn, colors: Colors): StyleSpecification {
	const streets = streetsOf(drawn, colors);
	const ground = drawn.kind === 'SCHEMATIC' && drawn.regions ? groundOf(drawn.regions, colors) : nowhere;
	return {
		version: 8,
		sources: {
			seas: { type: 'geojson', data: { type: 'MultiPolygon', coordinates: windows } },
			land: {
				type: 'geojson',
				data: { type: 'MultiPolygon', coordinates: basemap.land },
				attribution: basemap.attribution
			},
			coasts: {
				type: 'geojson',
				data: { type: 'MultiLineString', coordinates: coastsOf(basemap.land as [number, number][][][], basemap.windows as Window[]) }
			},
			places: { type: 'geojson', data: { type: 'FeatureCollection', features: places } },
			...ground.sources,
			...streets.sources,
			...thingSources
		},
		layers: [
			{ id: 'unknown', type: 'background', paint: { 'background-color': colors.unknown } },
			{ id: 'sea', type: 'fill', source: 'seas', paint: { 'fill-color': colors.sea } },
			{ id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colors.land } },
			{ id: 'coast', type: 'line', source: 'coasts', paint: { 'line-color': colors.coast } },
			...ground.layers,
			...streets.layers,
			...(drawn.kind === 'TILES' ? [] : [{ ...names(colors), ...(ground === nowhere ? {} : { maxzoom: namesFrom }) }]),
			...thingLayers(colors)
		]
	};
}

/** No layers. */
const nowhere: Pick<StyleSpecification, 'sources' | 'layers'> = { sources: {}, layers: [] };

const things = (): SourceSpecification => ({ type: 'geojson', data: { type: 'FeatureCollection', features: [] }, promoteId: 'key' });

/** The sources of areas, ways, places, stops and vehicles. */
export const thingSources: Record<string, SourceSpecification> = {
	areas: things(), ways: things(), places_of_day: things(), stops: things(), vans: things(), names_of_ways: things()
};

/** Whether a thing stands out in this way. The state of features changes without new data. */
const is = (look: 'chosen' | 'faded') => ['boolean', ['feature-state', look], false];

/** The line styles of routes: solid, dashed and dotted. */
const dashes: (number[] | undefined)[] = [undefined, [4, 1.5], [1.25, 1.25]];

const way = (id: string, filter: unknown, paint: Record<string, unknown>): LayerSpecification => ({
	id,
	type: 'line',
	source: 'ways',
	filter: filter as never,
	layout: { 'line-join': 'round' },
	paint: paint
});

const isDriven = ['==', ['get', 'driven'], true];

/** The ways, each above a pale edge that sets it off from streets and from other ways. The last layer is what the pointer hits. */
const wayLayers = (colors: Colors, driver: unknown): LayerSpecification[] => [
	way('ways-edge', ['!', isDriven], {
		'line-color': colors.paper,
		'line-width': ['case', is('chosen'), 8, 5],
		'line-opacity': ['case', is('faded'), 0, 0.8]
	}),
	...dashes.map((dash, index) =>
		way(`ways-${index}`, ['all', ['!', isDriven], ['==', ['get', 'dash'], index]], {
			'line-color': driver,
			'line-width': ['case', is('chosen'), 5, 3],
			'line-opacity': ['case', is('faded'), 0.15, 0.9],
			...(dash ? { 'line-dasharray': dash } : {})
		})
	),
	way('ways-driven', isDriven, {
		'line-color': driver,
		'line-width': 2,
		'line-offset': 4,
		'line-dasharray': [2, 1.5],
		'line-opacity': ['case', is('faded'), 0.1, 0.65]
	}),
	way('ways', true, { 'line-width': 11, 'line-opacity': 0 })
];

/** A text at things, in the system's fonts. */
const text = (id: string, source: string, field: string, layout: Record<string, unknown>, paint: Record<string, unknown>, filter?: unknown): LayerSpecification => ({
	id,
	type: 'symbol',
	source,
	...(filter ? { filter: filter as never } : {}),
	layout: { 'text-field': ['get', field], 'text-font': ['sans-serif'], 'text-size': 12, ...layout },
	paint: { 'text-halo-width': 1.5, ...paint }
});

/** The areas with their names. */
const areaLayers = (colors: Colors): LayerSpecification[] => [
	{ id: firstThing, type: 'fill', source: 'areas', paint: { 'fill-color': colors.go, 'fill-opacity': 0.08 } },
	{ id: 'areas-edge', type: 'line', source: 'areas', paint: { 'line-color': colors.go, 'line-dasharray': [2, 2], 'line-width': 1.5 } },
	text('areas-names', 'areas', 'name', { 'text-size': 13 }, { 'text-color': colors.go, 'text-halo-color': colors.paper })
];

/** Places: squares with their names. */
const placeLayers = (colors: Colors): LayerSpecification[] => [
	text('places-signs', 'places_of_day', 'sign', { 'text-field': '■', 'text-size': 20, 'text-allow-overlap': true }, { 'text-color': colors.ink, 'text-halo-color': colors.paper }),
	text('places-names', 'places_of_day', 'name', { 'text-anchor': 'top', 'text-offset': [0, 0.7] }, { 'text-color': colors.ink, 'text-halo-color': colors.paper })
];

/** The names of routes, at one of their stops each. */
const wayNames = (colors: Colors, driver: unknown): LayerSpecification =>
	text('ways-names', 'names_of_ways', 'name', { 'text-variable-anchor': ['left', 'right', 'bottom', 'top'], 'text-radial-offset': 0.9, 'text-size': 13 }, {
		'text-color': driver, 'text-halo-color': colors.paper, 'text-halo-width': 2, 'text-opacity': ['case', is('faded'), 0.2, 1]
	});

/** The layers of areas, ways, places, stops and vehicles. */
export function thingLayers(colors: Colors): LayerSpecification[] {
	const driver = byDriver(colors);
	const opacity = (faded: number) => ['case', is('faded'), faded, 1] as never;
	const isFree = ['==', ['get', 'free'], true];
	return [
		...areaLayers(colors),
		...wayLayers(colors, driver),
		...placeLayers(colors),
		{
			id: 'marks',
			type: 'circle',
			source: 'stops',
			paint: {
				'circle-radius': ['case', is('chosen'), 12, ['!=', ['get', 'mark'], ''], 9, 0] as never,
				'circle-color': ['match', ['get', 'mark'], 'late', colors.late, 'risk', colors.risk, colors.go],
				'circle-opacity': opacity(0.15)
			}
		},
		{
			id: 'stops',
			type: 'circle',
			source: 'stops',
			paint: {
				'circle-radius': ['case', is('chosen'), 8, 6] as never,
				'circle-color': ['case', isFree, colors.paper, ['get', 'filled'], driver, colors.paper] as never,
				'circle-stroke-color': ['case', isFree, colors.risk, ['get', 'filled'], colors.paper, driver] as never,
				'circle-stroke-width': 2,
				'circle-opacity': opacity(0.25),
				'circle-stroke-opacity': opacity(0.25)
			}
		},
		wayNames(colors, driver),
		text('stops-free', 'stops', 'free', { 'text-field': '?', 'text-size': 11, 'text-allow-overlap': true }, { 'text-color': colors.risk, 'text-halo-color': colors.paper }, isFree),
		{
			id: 'vans-around',
			type: 'circle',
			source: 'vans',
			paint: {
				'circle-radius': 11,
				'circle-color': colors.paper,
				'circle-stroke-color': driver,
				'circle-stroke-width': 3,
				'circle-opacity': ['case', ['get', 'faded'], 0.6, 1]
			}
		},
		{
			id: 'vans',
			type: 'circle',
			source: 'vans',
			paint: { 'circle-radius': 6, 'circle-color': driver, 'circle-opacity': ['case', ['get', 'faded'], 0.3, 1] }
		},
		text('vans-ages', 'vans', 'label', { 'text-anchor': 'top', 'text-offset': [0, 1] }, { 'text-color': colors.ink, 'text-halo-color': colors.paper, 'text-halo-width': 2 })
	];
}

/** The layer that names of places go below. */
export const firstThing = 'areas';

function streetsOf(drawn: Drawn, colors: Colors): Pick<StyleSpecification, 'sources' | 'layers'> {
	const attribution = drawn.attribution ?? '';
	if (drawn.kind === 'TILES') {
		return {
			sources: { streets: { type: 'raster', tiles: [drawn.url ?? ''], tileSize: 256, attribution } },
			layers: [{ id: 'streets', type: 'raster', source: 'streets' }]
		};
	}
	if (drawn.kind === 'SCHEMATIC' && drawn.regions) return regionsOf(drawn.regions, colors);
	if (drawn.kind !== 'PMTILES') return nowhere;
	const url = `pmtiles://${location.origin}${drawn.url}`;
	const line = (id: string, layer: string, width: number, filter?: unknown): LayerSpecification => ({
		id,
		type: 'line',
		source: 'streets',
		'source-layer': layer,
		...(filter ? { filter: filter as never } : {}),
		paint: { 'line-color': colors.street, 'line-width': ['interpolate', ['linear'], ['zoom'], 8, width / 4, 16, width * 2] }
	});
	const area = (id: string, layer: string, color: string): LayerSpecification => ({
		id,
		type: 'fill',
		source: 'streets',
		'source-layer': layer,
		filter: ['==', ['geometry-type'], 'Polygon'],
		paint: { 'fill-color': color }
	});
	return {
		sources: { streets: { type: 'vector', url, attribution } },
		layers: [
			area('earth', 'earth', colors.land),
			area('water', 'water', colors.sea),
			line('minor', 'roads', 1, ['in', ['get', 'kind'], ['literal', ['minor_road', 'other', 'path']]]),
			line('major', 'roads', 2, ['==', ['get', 'kind'], 'major_road']),
			line('highway', 'roads', 3, ['==', ['get', 'kind'], 'highway'])
		]
	};
}
