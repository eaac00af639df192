// The places of the map of a day that are no stops: the depots where vehicles start, and zones. They
// are read when somebody asks for their layer.
import { api, ask } from '$shared/api';
import { Loaded } from '$shared/loaded.svelte';
import { hullOf, mostOf } from '../map/frame';
import type { MapArea, MapPlace } from '../map/things';
import { isIn, readPlaces, type Zone } from '../zones/zones';
import type { PlannedStop } from './plan';

const perPage = 200;
const mostPages = 10;

async function readDepots(): Promise<MapPlace[]> {
	const homes = new Set<number>();
	for (let page = 1; page <= mostPages; page++) {
		const { items, pages } = await ask(api.GET('/v1/vehicles', { params: { query: { page, limit: perPage } } }));
		for (const { home_location_id: home } of items) if (home) homes.add(home);
		if (page >= pages) break;
	}
	return (await readPlaces()).flatMap(({ location_id: id, name, external_id: code, address }) => {
		const { latitude, longitude } = address ?? {};
		if (!homes.has(id) || typeof latitude !== 'number' || typeof longitude !== 'number') return [];
		return [{ key: `depot-${id}`, longitude, latitude, name: name || code || '' }];
	});
}

export class Depots {
	read = new Loaded<MapPlace[]>();
	#asked = false;

	/** Reads them, once. */
	ask(): void {
		if (this.#asked) return;
		this.#asked = true;
		void this.read.load(readDepots);
	}
}

/** The zones as far as the day has deliveries in them: an outline around these. */
export function areasOf(zones: Zone[], stops: PlannedStop[]): MapArea[] {
	const deliveries = stops.filter((stop) => stop.stop === 'DELIVERY' && (stop.latitude !== 0 || stop.longitude !== 0));
	return zones.flatMap((zone) => {
		const inside = deliveries.filter((stop) => isIn(zone, stop.country ?? '', stop.postalCode ?? ''));
		return inside.length ? [{ key: `zone-${zone.id}`, name: zone.name, ring: hullOf(mostOf(inside)) }] : [];
	});
}
