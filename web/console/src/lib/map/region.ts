// The streets of the installation's regions, drawn from its own vector tiles. The layers are
// those of providers/regions/tiles.
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import type { Schema } from '$shared/api';
import type { Colors } from './style';

type Regions = NonNullable<Schema<'Map'>['regions']>;

/** The zoom level from which the regions name places, instead of the basemap. */
export const namesFrom = 10;

/** A width in pixels that grows with the zoom level. */
const width = (far: number, near: number) => ['interpolate', ['exponential', 1.5], ['zoom'], 8, far, 18, near] as never;

const isKind = (kind: string) => ['==', ['get', 'kind'], kind] as never;

interface Line {
	id: string;
	of: string;
	color: string;
	width: unknown;
	filter?: unknown;
	dashes?: number[];
}

const lineOf = ({ id, of, color, width, filter, dashes }: Line): LayerSpecification => ({
	id: `region-${id}`,
	type: 'line',
	source: 'regions',
	'source-layer': of,
	...(filter ? { filter: filter as never } : {}),
	layout: { 'line-cap': dashes ? 'butt' : 'round', 'line-join': 'round' },
	paint: { 'line-color': color, 'line-width': width as never, ...(dashes ? { 'line-dasharray': dashes } : {}) }
});

const areaOf = (id: string, color: string, opacity = 1): LayerSpecification => ({
	id: `region-${id}`,
	type: 'fill',
	source: 'regions',
	'source-layer': id,
	// The sea is in pieces: smooth edges would show where they meet.
	paint: { 'fill-color': color, 'fill-opacity': opacity, 'fill-antialias': id !== 'water' }
});

/** Each kind of road, the least important first, with its width far away and near. */
const roads: [string, number, number][] = [
	['path', 0.2, 2],
	['service', 0.2, 5],
	['minor', 0.3, 12],
	['medium', 0.5, 15],
	['major', 0.8, 18],
	['highway', 1.2, 20]
];

const namesOf = (colors: Colors): LayerSpecification[] => [
	{
		id: 'region-street-names',
		type: 'symbol',
		source: 'regions',
		'source-layer': 'street_names',
		minzoom: 13,
		layout: {
			'symbol-placement': 'line',
			'text-field': ['get', 'name'],
			'text-font': ['sans-serif'],
			'text-size': ['interpolate', ['linear'], ['zoom'], 13, 10, 18, 14]
		},
		paint: { 'text-color': colors.name, 'text-halo-color': colors.land, 'text-halo-width': 1.5 }
	},
	{
		id: 'region-places',
		type: 'symbol',
		source: 'regions',
		'source-layer': 'places',
		minzoom: namesFrom,
		layout: {
			'text-field': ['get', 'name'],
			'text-font': ['sans-serif'],
			'text-size': ['case', ['==', ['get', 'rank'], 0], 15, ['==', ['get', 'rank'], 1], 13, 11],
			'symbol-sort-key': ['get', 'rank']
		},
		paint: { 'text-color': colors.name, 'text-halo-color': colors.land, 'text-halo-width': 1.5 }
	}
];

/** The ground below the regions: land within their bounds. Their tiles have the water on it. */
export function groundOf(regions: Regions, colors: Colors): Pick<StyleSpecification, 'sources' | 'layers'> {
	const boxes = (regions.bounds as [number, number, number, number][]).map(([west, south, east, north]) => [
		[[west, south], [east, south], [east, north], [west, north], [west, south]]
	]);
	return {
		sources: { ground: { type: 'geojson', data: { type: 'MultiPolygon', coordinates: boxes } } },
		layers: [{ id: 'ground', type: 'fill', source: 'ground', paint: { 'fill-color': colors.land } }]
	};
}

/** The water and the streets of the regions, above their ground. */
export function regionsOf(regions: Regions, colors: Colors): Pick<StyleSpecification, 'sources' | 'layers'> {
	return {
		sources: {
			regions: {
				type: 'vector',
				tiles: [`${location.origin}${regions.url}`],
				minzoom: 4,
				maxzoom: regions.maxZoom,
				attribution: regions.attribution
			}
		},
		layers: [
			areaOf('built', colors.built),
			areaOf('green', colors.green),
			areaOf('water', colors.sea),
			lineOf({ id: 'streams', of: 'streams', color: colors.sea, width: width(0.5, 6) }),
			lineOf({ id: 'coast', of: 'coast', color: colors.coast, width: 1 }),
			areaOf('buildings', colors.building),
			lineOf({ id: 'rails', of: 'rails', color: colors.coast, width: width(0.4, 3), dashes: [4, 2] }),
			...roads.map(([kind, far, near]) =>
				lineOf({ id: `${kind}-edge`, of: 'roads', color: colors.coast, width: width(far * 1.6, near * 1.2), filter: isKind(kind) })
			),
			...roads.map(([kind, far, near]) =>
				lineOf({
					id: kind,
					of: 'roads',
					color: kind === 'highway' || kind === 'major' ? colors.highway : colors.road,
					width: width(far, near),
					filter: isKind(kind)
				})
			),
			lineOf({ id: 'borders', of: 'borders', color: colors.name, width: 1, dashes: [4, 3] }),
			...namesOf(colors)
		]
	};
}
