// What a source of the map shows. Only differences reach it, since each one is cut into tiles anew.
import type { Feature } from 'geojson';
import type { GeoJSONSource, GeoJSONSourceDiff } from 'maplibre-gl';
import type { Look, MapArea, MapLine, MapName, MapPlace, MapStop, MapVan } from './things';

type Source = Pick<GeoJSONSource, 'setData' | 'updateData'>;

export const lineOf = ({ points, ...properties }: MapLine): Feature => ({
	type: 'Feature',
	properties,
	geometry: { type: 'LineString', coordinates: points }
});

export const pointOf = ({ longitude, latitude, ...properties }: MapStop | MapVan | MapPlace | MapName): Feature => ({
	type: 'Feature',
	properties,
	geometry: { type: 'Point', coordinates: [longitude, latitude] }
});

export const areaOf = ({ ring, ...properties }: MapArea): Feature => ({
	type: 'Feature',
	properties,
	geometry: { type: 'Polygon', coordinates: [ring] }
});

export class Layer<Thing extends { key: string }> {
	#things = new Map<string, Thing>();
	#looks = new Map<string, Look>();
	#isFilled = false;

	constructor(readonly featureOf: (thing: Thing) => Feature) {}

	/** The thing with a key. */
	of = (key: string): Thing | undefined => this.#things.get(key);

	/** Shows these things instead of those before. */
	show(source: Source | undefined, things: Thing[]): void {
		if (!source) return;
		const next = new Map(things.map((thing) => [thing.key, thing]));
		const changed = [...next.values()].filter((thing) => !isSame(thing, this.#things.get(thing.key)));
		const gone = [...this.#things.keys()].filter((key) => !next.has(key));
		this.#things = next;
		if (!this.#isFilled) void source.setData({ type: 'FeatureCollection', features: changed.map(this.featureOf) });
		else if (changed.length || gone.length) void source.updateData(this.#difference(changed, gone));
		this.#isFilled = true;
	}

	#difference(changed: Thing[], gone: string[]): GeoJSONSourceDiff {
		for (const key of gone) this.#looks.delete(key);
		return { add: changed.map(this.featureOf), remove: gone };
	}

	/** Sets how things stand out, where that has changed. */
	light(lookOf: (thing: Thing) => Look, set: (key: string, state: { chosen: boolean; faded: boolean }) => void): void {
		for (const [key, thing] of this.#things) {
			const look = lookOf(thing);
			if (look === (this.#looks.get(key) ?? '')) continue;
			this.#looks.set(key, look);
			set(key, { chosen: look === 'chosen', faded: look === 'faded' });
		}
	}
}

/** Whether two things have the same content, which is plain values, or points. */
function isSame(a: unknown, b: unknown): boolean {
	if (a === b) return true;
	if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, index) => isSame(value, b[index]));
	if (!isObject(a) || !isObject(b) || Array.isArray(a)) return false;
	const names = Object.keys(a);
	return names.length === Object.keys(b).length && names.every((name) => isSame(a[name], b[name]));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
