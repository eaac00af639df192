// Which places are in which zones. Zones are sets of postal codes; only stored
// places have positions on a map.
import { api, ask, type Schema } from '$shared/api';

export type Zone = Schema<'Zone'>;
type Location = Schema<'Location'>;

const perPage = 200;
const mostPages = 10;

async function all<Row>(read: (page: number) => Promise<{ items: Row[]; pages: number }>): Promise<Row[]> {
	const rows: Row[] = [];
	for (let page = 1; page <= mostPages; page++) {
		const got = await read(page);
		rows.push(...got.items);
		if (page >= got.pages) break;
	}
	return rows;
}

export const readZones = (): Promise<Zone[]> =>
	all((page) => ask(api.GET('/v1/zones', { params: { query: { page, limit: perPage } } })));

export const readPlaces = (): Promise<Location[]> =>
	all((page) => ask(api.GET('/v1/locations', { params: { query: { page, limit: perPage } } })));

const plain = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Whether a postal code of a country is in a zone, by the contract's rule for areas. */
export function isIn(zone: Zone, country: string, postalCode: string): boolean {
	const code = plain(postalCode);
	return zone.areas.some((area) => {
		if (area.country.toUpperCase() !== country.toUpperCase()) return false;
		const [from, to] = [plain(area.from), plain(area.to)];
		if (!from && !to) return true;
		return code !== '' && code.slice(0, from.length) >= from && code.slice(0, to.length) <= to;
	});
}

/** An area in a few words, such as NO 0001–1299. */
export const areaOf = ({ country, from, to }: Zone['areas'][number]): string =>
	`${country} ${from}${to && to !== from ? `–${to}` : ''}`.trim();

/** A place on the map, with its zones. */
export interface Placed {
	place: Location;
	longitude: number;
	latitude: number;
	zones: Zone[];
}

export function placed(zones: Zone[], places: Location[]): Placed[] {
	return places.flatMap((place) => {
		const { latitude, longitude, country, postal_code: code } = place.address ?? {};
		if (typeof latitude !== 'number' || typeof longitude !== 'number') return [];
		return [{ place, latitude, longitude, zones: zones.filter((zone) => isIn(zone, country ?? '', code ?? '')) }];
	});
}
