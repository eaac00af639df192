// What the address register may have meant by an address.
import { api, ask, type Schema } from '$shared/api';
import type { At } from '../map/pin';

type ToCheck = Schema<'PlaceToCheck'>;

export interface Suggestion extends At {
	label: string;
}

/** How many are listed. */
const most = 5;

/** The closest matches of an address, the likeliest first. Its own coarse position is none. */
export async function suggestionsFor(row: ToCheck, signal: AbortSignal): Promise<Suggestion[]> {
	const { address1, address2, postalCode, city, country } = row;
	if (!address1 || !country) return [];
	const given = Object.fromEntries(Object.entries({ address2, postalCode, city }).filter(([, text]) => text));
	const body = { addresses: [{ address1, country, ...given }] };
	const [found] = (await ask(api.POST('/v1/places/geocode', { body, signal }))).items;
	const candidates = found?.candidates ?? [];
	const all = candidates.length ? candidates : await search(`${address1} ${city ?? ''}`, country, signal);
	return all.slice(0, most).map(({ label, latitude, longitude }) => ({ label, latitude, longitude }));
}

/** The houses that a search finds, which is more tolerant of a wrong town. */
async function search(q: string, country: string, signal: AbortSignal) {
	const query = { q: q.trim().slice(0, 255), country, limit: most };
	const { items } = await ask(api.GET('/v1/places/search', { params: { query }, signal }));
	return items.filter(({ precision }) => precision === 'POINT');
}

/** Puts the pin of an address; returns how many orders it moved. */
export const putPin = async (place: string, { latitude, longitude }: At): Promise<number> =>
	(await ask(api.PUT('/v1/places/{place}', { params: { path: { place } }, body: { latitude, longitude } }))).orders;
