import { beforeEach, expect, test } from 'vitest';
import type { Schema } from '../../shared/api';
import { addressesOf } from '../src/lib/orders/again';
import { speaking } from './words';

beforeEach(() => speaking({}));

const row = (orderId: number, date: string, address1: string, customer = 1, name = 'Oda Larsen') =>
	({
		orderId, date, externalIds: [`BD-${orderId}`], customer: { id: customer, name: `Customer ${customer}` },
		delivery: { name, address1, postalCode: '0368', city: 'Oslo' }
	}) as Schema<'OrderRow'>;

test('each address comes once, with its newest order, the newest first', () => {
	const found = addressesOf([
		row(1, '2026-11-01', 'Kirkeveien 4'),
		row(2, '2026-11-20', 'kirkeveien 4'),
		row(3, '2026-11-25', 'Storgata 1'),
		row(4, '2026-11-10', 'Kirkeveien 4', 2)
	]);
	expect(found.map(({ id }) => id)).toEqual([3, 2, 4]);
	expect(found[0]).toMatchObject({ kind: 'order', number: 'BD-3', name: 'Oda Larsen, Storgata 1, Oslo' });
});

test('an order without a delivery has no address, and a few are enough', () => {
	const { delivery: _, ...bare } = row(1, '2026-11-01', '');
	expect(addressesOf([bare as Schema<'OrderRow'>])).toEqual([]);
	expect(addressesOf(Array.from({ length: 30 }, (_, at) => row(at, '2026-11-01', `Storgata ${at}`)))).toHaveLength(8);
});
