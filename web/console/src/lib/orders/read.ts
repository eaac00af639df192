// One order, with all that its page shows.
import { api, ask, type Schema } from '$shared/api';

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

export const readOrder = (id: number) =>
	ask(api.GET('/v1/orders/{orderId}', { params: { path: { orderId: id }, query: { loads: relations } } }));

/** What the planner says of an order, in words. */
export const readPlanning = (id: number) =>
	ask(api.GET('/v2/orders/{orderId}/planning', { params: { path: { orderId: id } } }));

export const readStory = (id: number, token?: string) =>
	ask(
		api.GET('/v1/orders/{orderId}/story', {
			params: { path: { orderId: id }, query: { limit: 200, ...(token ? { token } : {}) } }
		})
	);

export const readExport = (id: number) =>
	ask(api.GET('/v1/orders/{orderId}/export', { params: { path: { orderId: id } } }));
