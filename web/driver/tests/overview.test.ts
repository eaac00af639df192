import { expect, test } from 'vitest';
import { inLoadingOrder, targetsOf } from '../src/lib/day/load';
import { found, lineOf, parcelsOf } from '../src/lib/day/overview';
import { arrivedWith, doorsOf, visitsOf } from '../src/lib/day/visits';
import type { KeptRoute } from '../src/lib/outbox/store';
import { stop } from './stops';

const visits = (...stops: ReturnType<typeof stop>[]) =>
	visitsOf({ driver: 1, date: '2026-12-07', route: { stops }, readAt: '', upTo: 0 } as unknown as KeptRoute, [], []);
const at = (place: string, id: number, given = {}) => stop(id, { name: place, latitude: 59, ...given });
const goods = (id: number, given = {}) =>
	({ id, parentId: null, name: 'Box', quantity: 1, weight: null, barcode: `B-${id}`, externalId: null, atomType: 'trade item' as const, ...given });

test('a door is one, whatever is done there', () => {
	const all = visits(at('Yard', 1, { stop: 'PICKUP' }), at('Yard', 2), at('Shop', 3), at('Yard', 4, { stop: 'PICKUP' }));
	expect(all).toHaveLength(4);
	expect(doorsOf(all).map(({ number, visits }) => [number, visits.map(({ id }) => id)])).toEqual([[1, [1, 2]], [2, [3]], [3, [4]]]);
	expect(lineOf(doorsOf(all)[0]!).kinds).toEqual(['PICKUP', 'DELIVERY']);
});

test('an arrival is for all that can be done at the door', () => {
	const all = visits(
		at('Yard', 1, { stop: 'PICKUP', orderId: 1 }), at('Yard', 2, { orderId: 9 }), at('Yard', 3, { stop: 'PICKUP', orderId: 3 }),
		at('Shop', 8, { stop: 'PICKUP', orderId: 8 })
	);
	expect(arrivedWith(all, all[0]!).map(({ stopId }) => stopId)).toEqual([1, 2, 3]);
	const unloaded = visits(at('Shop', 1), at('Yard', 2, { stop: 'PICKUP', orderId: 5 }), at('Yard', 3, { orderId: 6 }), at('Port', 4, { stop: 'PICKUP', orderId: 6 }));
	expect(arrivedWith(unloaded, unloaded[1]!).map(({ stopId }) => stopId), 'what is not on board is not delivered').toEqual([2]);
});

test('a line says who, when, how late and how much', () => {
	const contacts = [{ firstName: 'Kari', lastName: 'Moe', phoneNumber: null }];
	const products = [goods(1, { atomType: 'colli' }), goods(2, { parentId: 1, quantity: 3 })];
	const [door] = doorsOf(visits(at('Shop', 7, { contacts, products, eta: '2026-12-07T10:01:00Z' })));
	const line = lineOf(door!);
	expect(line).toMatchObject({ number: 1, recipients: ['Kari Moe'], parcels: 3, isLate: true });
	expect(lineOf(doorsOf(visits(at('Shop', 7, { eta: '2026-12-07T10:00:00Z' })))[0]!).isLate).toBe(false);
	for (const search of ['kari', 'shop moe', 'a-7', 'b-2', '1', '']) expect(found([line], search), search).toHaveLength(1);
	for (const search of ['per', 'kari per', '9']) expect(found([line], search), search).toEqual([]);
	expect(parcelsOf([at('Shop', 1)])).toBe(0);
});

test('what is delivered last is loaded first', () => {
	const stops = [
		at('Yard', 1, { stop: 'PICKUP', orderId: 1, sequence: 1 }), at('Yard', 2, { stop: 'PICKUP', orderId: 2, sequence: 2 }),
		at('A', 3, { orderId: 2, sequence: 3 }), at('B', 4, { orderId: 1, sequence: 4 })
	];
	const targets = targetsOf(doorsOf(visits(...stops)));
	expect(inLoadingOrder(stops.slice(0, 2), targets).map(({ orderId }) => orderId)).toEqual([1, 2]);
	expect([targets.get(1)?.number, targets.get(2)?.number]).toEqual([3, 2]);
});
