// Addresses of the address register, found while they are typed.
import { api, ask, type Schema } from '$shared/api';

export type Entry = Schema<'PlaceEntry'>;

export interface Found {
	items: Entry[];
	country: string;
	attributions: string[];
}

/** The fields of an address, as forms have them. */
export interface Address {
	address1: string;
	postalCode: string;
	city: string;
	country: string;
}

const fewest = 3; // letters
const most = 8;

/** Whether so much was typed that a search finds something. */
export const isEnough = (text: string): boolean => text.trim().length >= fewest;

/**
 * Finds addresses that begin with what was typed: first in the town that the form has, and then
 * everywhere.
 */
export async function findAddresses(address: Address, signal: AbortSignal): Promise<Found> {
	const typed = address.address1;
	const town = (address.postalCode || address.city).trim();
	const country = /^[a-z]{2}$/i.test(address.country.trim()) ? { country: address.country.trim() } : {};
	const search = (q: string) =>
		ask(api.GET('/v1/places/search', { params: { query: { q: q.slice(0, 255), ...country, limit: most } }, signal }));
	if (!town) return search(typed);
	const there = await search(`${typed.trim()}, ${town}`);
	return there.items.length ? there : search(typed);
}

/** The address of an entry, in the fields of a form. Behind a street, its number follows. */
export const addressOfEntry = (entry: Entry, before: Address, country: string): Address => ({
	address1: entry.number ? `${entry.street} ${entry.number}` : entry.street && `${entry.street} `,
	postalCode: entry.number ? entry.postalCode : before.postalCode,
	city: entry.number || !before.city ? entry.city : before.city,
	country: before.country || country
});
