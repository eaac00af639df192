// One order, with all that its page shows.
import { api, ask, type Schema } from '$shared/api';
import { here } from './documents';

const relations: Schema<'OrderRelation'>[] = [
	'Customer',
	'Department',
	'Driver',
	'OrderType',
	'VehicleType',
	'Skills',
	'CustomFieldValues',
	'Documents',
	'OrderLocations.Address',
	'OrderLocations.OrderLocationContacts',
	'OrderLocations.TrackTraces',
	'OrderProducts',
	'Groups',
	'Prices',
	'Consignee',
	'Consignor',
	'ErpOrders'
];

export const readOrder = (id: number, signal: AbortSignal | null = null) =>
	ask(api.GET('/v1/orders/{orderId}', { params: { path: { orderId: id }, query: { loads: relations } }, signal }));

/** The planner's view of an order, in words. */
export const readPlanning = (id: number) =>
	ask(api.GET('/v2/orders/{orderId}/planning', { params: { path: { orderId: id } } }));

export const readStory = (id: number, token?: string) =>
	ask(
		api.GET('/v1/orders/{orderId}/story', {
			params: { path: { orderId: id }, query: { limit: 200, ...(token ? { token } : {}) } }
		})
	);

/** Drivers' documentation of an order, with the reasons of failures. */
export const readDocumentations = (id: number) =>
	ask(api.GET('/v1/orders/{orderId}/documentations', { params: { path: { orderId: id } } }));

/** What the recipient of an order has said. */
export const readRecipient = (id: number) =>
	ask(api.GET('/v1/orders/{orderId}/recipient', { params: { path: { orderId: id } } }));

/** The URL of an order's picture, or nothing until it has arrived. */
export async function addressOfPicture(id: number, sha256: string): Promise<string | undefined> {
	const path = { orderId: id, sha256 };
	const { url } = await ask(api.GET('/v1/orders/{orderId}/pictures/{sha256}', { params: { path } }));
	return url ? here(url) : undefined;
}

export const readExport = (id: number) =>
	ask(api.GET('/v1/orders/{orderId}/export', { params: { path: { orderId: id } } }));
