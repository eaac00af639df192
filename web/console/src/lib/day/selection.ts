// The selection of orders, which the board, the map and the lists share.
import { setQuery } from '../query';
import { chosen } from './view';

/** More orders do not fit into an address, and nobody looks through so many. */
export const mostChosen = 200;

/** Selects some orders, and no others. */
export const select = (orderIds: number[]): void =>
	setQuery({ sel: orderIds.length ? `o${[...new Set(orderIds)].slice(0, mostChosen).join(',')}` : '' });

/** Adds orders to the selection; takes them out if all of them are in it. */
export function toggle(orderIds: number[]): void {
	const now = chosen().orderIds;
	const isIn = orderIds.every((id) => now.includes(id));
	select(isIn ? now.filter((id) => !orderIds.includes(id)) : [...now, ...orderIds]);
}

/** What is moved together with an order: the selection that it is part of, or it alone. */
export function withSelected(orderIds: number[]): number[] {
	const now = chosen().orderIds;
	return orderIds.some((id) => now.includes(id)) ? [...new Set([...orderIds, ...now])] : orderIds;
}
