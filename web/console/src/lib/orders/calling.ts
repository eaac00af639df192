// Whom to call about an order.
import { api, ask, type Schema } from '$shared/api';
import { stopOf, type Order } from './list';

/** A phone number, and whose it is. */
export interface Callee {
	name: string;
	number: string;
}

const relations: Schema<'OrderRelation'>[] = ['Customer', 'Driver', 'OrderLocations.OrderLocationContacts', 'OrderLocations.TrackTraces'];

/** Reads an order with the people to call, and its tracking links. */
export const readCallees = (id: number, signal: AbortSignal | null = null): Promise<Order> =>
	ask(api.GET('/v1/orders/{orderId}', { params: { path: { orderId: id }, query: { loads: relations } }, signal }));

export const callTo = (number: string): string => `tel:${number.replace(/[^+\d]/g, '')}`;

/** The driver of an order, if there is a phone number. */
export const driverOf = ({ driver }: Order): Callee | undefined =>
	driver?.phone_number ? { name: driver.name, number: driver.phone_number } : undefined;

/** The first contact at a stop who has a phone number. */
export function contactOf(order: Order, type: 'pickup' | 'delivery'): Callee | undefined {
	for (const { first_name, last_name, phone_number } of stopOf(order, type)?.order_location_contacts ?? []) {
		if (phone_number) return { name: [first_name, last_name].filter(Boolean).join(' '), number: phone_number };
	}
	return undefined;
}
