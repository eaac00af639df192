// The statuses of orders, and how each of them looks.
import type { IconName } from './ui/Icon.svelte';

export interface Status {
	id: number;
	name: string;
	icon: IconName;
	tone: 'registered' | 'planned' | 'moving' | 'delivered' | 'failed' | 'cancelled';
}

/** All statuses, in the sequence of an order. */
export const statuses: Status[] = [
	{ id: 1, name: 'registered', icon: 'circle', tone: 'registered' },
	{ id: 2, name: 'planned', icon: 'day', tone: 'planned' },
	{ id: 3, name: 'at_pickup', icon: 'load', tone: 'moving' },
	{ id: 4, name: 'picked_up', icon: 'truck', tone: 'moving' },
	{ id: 5, name: 'at_delivery', icon: 'door', tone: 'moving' },
	{ id: 6, name: 'delivered', icon: 'tick', tone: 'delivered' },
	{ id: 7, name: 'failed', icon: 'cross', tone: 'failed' },
	{ id: 8, name: 'cancelled', icon: 'slash', tone: 'cancelled' }
];

// What an order's status means for the people who work with the order; the service decides the same.

/** Reports whether the order can still be moved, booked and split: no driver has begun it, and it is not cancelled. */
export const isOpen = (id: number): boolean => id <= 2;

/** Reports whether the driver has the goods. */
export const hasGoods = (id: number): boolean => id === 4 || id === 5;

/** Reports whether the order has come to its end: delivered, failed or cancelled. */
export const isOver = (id: number): boolean => id >= 6;

export const isCancelled = (id: number): boolean => id === 8;

export function statusOf(id: number): Status {
	return statuses.find((status) => status.id === id) ?? { id, name: String(id), icon: 'circle', tone: 'registered' };
}
