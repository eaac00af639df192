// Finding a person, showing their data, and erasing it.
import { api, ask, type Schema } from '$shared/api';

export type Preview = Schema<'ErasurePreview'>;
export type Receipt = Schema<'Erasure'>;
export type Contact = Schema<'ErasureContact'>;
export type Sought = Schema<'PersonSought'>;

export const look = (body: Sought) => ask(api.POST('/v1/privacy/previews', { body }));
export const erase = (body: Schema<'ErasePersonRequest'>) => ask(api.POST('/v1/privacy/erasures', { body }));
export const exportOf = (body: Sought) => ask(api.POST('/v1/privacy/exports', { body }));
export const receipts = () => ask(api.GET('/v1/privacy/erasures'));

/** The person in a form, without empty fields. */
export function soughtOf(email: string, phone: string, name: string): Sought {
	const sought: Sought = {};
	if (email.trim()) sought.email = email.trim();
	if (phone.trim()) sought.phone = phone.trim();
	if (name.trim()) sought.names = [name.trim()];
	return sought;
}

/** One contact for each order, with all names that the order has. */
export function byOrder(contacts: Contact[]): Contact[] {
	const orders = new Map<number, Contact>();
	for (const one of contacts) {
		const before = orders.get(one.orderId);
		const names = new Set([...(before?.name.split(', ') ?? []), one.name]);
		const name = [...names].join(', ');
		orders.set(one.orderId, { ...one, stop: before?.stop ?? one.stop, name });
	}
	return [...orders.values()];
}

/** A person's data, for reading. */
export function readable(kept: Schema<'PersonExport'>): string {
	const rows = (all: Record<string, unknown>[]) =>
		all.map((row) =>
			Object.entries(row)
				.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
				.join('\n')
		);
	const places = kept.places.map((place) =>
		[`${place.what} (${place.table})`, `${place.why}; ${place.period}`, ...rows(place.rows)].join('\n\n')
	);
	return [kept.person.join(', '), ...places].join('\n\n----\n\n');
}
