import { describe, expect, test } from 'vitest';
import { nameOfPhone } from '../src/lib/connect/name';
import { carrying, depthOf, goodsOf, isFound, isInRefused, lacking, refusing, nothingFound, scanned, ticked, type Found } from '../src/lib/day/load';
import { advanced, goneBy, notYetLoaded, visitsOf, type Stop } from '../src/lib/day/visits';
import type { Answered, KeptRoute, Waiting } from '../src/lib/outbox/store';
import { stop } from './stops';

const route = (stops: Stop[], upTo = 0): KeptRoute => ({
	driver: 17, date: '2026-12-07', readAt: '', upTo, route: { stops } as KeptRoute['route']
});

const did = (type: Waiting['type'], stopId: number, given: Partial<Waiting> = {}) =>
	({ id: `${type} ${stopId}`, type, stopId, ...given }) as Waiting;

const heard = (n: number, type: Waiting['type'], stopId: number, given: Partial<Answered> = {}) =>
	({ ...did(type, stopId), n, outcome: 'APPLIED', seen: true, ...given }) as Answered;

describe('how far a stop is', () => {
	test.each([
		['as the service says', 'pending', [], 'pending'],
		['where the driver has arrived', 'pending', [did('ARRIVE', 1)], 'arrived'],
		['when it is delivered', 'pending', [did('ARRIVE', 1), did('DELIVER', 1)], 'completed'],
		['when it failed', 'arrived', [did('FAIL', 1)], 'failed'],
		['when the failure is taken back', 'arrived', [did('FAIL', 1), did('UNDO', 1, { undoes: 'FAIL 1' })], 'arrived'],
		['when what the service heard is taken back', 'completed', [did('UNDO', 1, { undoes: 'before' })], 'arrived'],
		['when somebody arrives after all is done', 'completed', [did('ARRIVE', 1)], 'completed'],
		['when something happens elsewhere', 'pending', [did('DELIVER', 2)], 'pending']
	] as const)('is known: %s', (_, status, doings, want) => {
		expect(advanced(stop(1, { status }), [...doings])).toBe(want);
	});

	test('is as it was before the driver came, when that is taken back', () => {
		const back = did('UNDO', 1, { undoes: 'ARRIVE 1' });
		expect(advanced(stop(1), [did('ARRIVE', 1), back])).toBe('pending');
		expect(advanced(stop(1, { status: 'arrived' }), [back], [heard(1, 'ARRIVE', 1)]), 'which the service had heard').toBe('pending');
		expect(advanced(stop(1, { status: 'completed' }), [back], [heard(1, 'ARRIVE', 1)])).toBe('completed');
	});

	test('holds what was answered after the route was read, and nothing twice', () => {
		const answers = [heard(1, 'ARRIVE', 1), heard(2, 'DELIVER', 1), heard(3, 'DELIVER', 2, { outcome: 'RECORDED', seen: false })];
		const visits = visitsOf(route([stop(1, { status: 'arrived' }), stop(2)], 1), answers, [did('ARRIVE', 2)]);
		expect(visits.map((visit) => [visit.status, visit.waits, visit.conflicts.length])).toEqual([
			['completed', false, 0],
			['arrived', true, 1]
		]);
	});
});

test('orders of one place are one visit', () => {
	const same = { name: 'Depot', latitude: 59, stop: 'PICKUP' as const };
	const visits = visitsOf(route([stop(1, same), stop(2, same), stop(3), stop(4, same)]), [], []);
	expect(visits.map((visit) => visit.stops.map((one) => one.stopId))).toEqual([[1, 2], [3], [4]]);
});

test('delivery requires pickup', () => {
	const stops = [stop(1, { orderId: 9, stop: 'PICKUP' }), stop(2, { orderId: 9 })];
	const [pickup, delivery] = visitsOf(route(stops), [], []);
	expect(notYetLoaded([pickup!, delivery!], delivery!)).toEqual([pickup]);
	const after = visitsOf(route(stops), [], [did('PICK_UP', 1)]);
	expect(notYetLoaded(after, after[1]!)).toEqual([]);
});

const product = { id: 4, parentId: null as number | null, name: 'Box', quantity: 1, weight: null, barcode: 'ab-1', externalId: null, atomType: 'colli' as const };

test('goods are known by their codes', () => {
	const goods = goodsOf([stop(1, { products: [product] })]);
	expect(carrying(goods, ' AB-1 ')?.product.id).toBe(4);
	expect(carrying(goods, '')).toBeUndefined();
});

describe('a load', () => {
	// A pallet with a box that contains two items; and the same item of another
	// order.
	const thing = { ...product, id: 3, parentId: 2, barcode: 'EAN' };
	const goods = goodsOf([
		stop(1, { products: [{ ...product, id: 1, barcode: 'PALLET' }, { ...product, id: 2, parentId: 1, barcode: 'BOX' }, thing] }),
		stop(2, { products: [{ ...thing, id: 4, parentId: null }] })
	]);
	const there = (found: Found) => goods.filter((one) => isFound(found, one.product)).map((one) => one.product.id);
	const product1 = goods[0]!.product;

	test('is there with all that it holds', () => {
		expect(goods.map((one) => depthOf(goods, one.product))).toEqual([0, 1, 2, 0]);
		const all = ticked(nothingFound(), goods, product1, true);
		expect(there(all)).toEqual([1, 2, 3]);
		expect(there(ticked(all, goods, goods[1]!.product, false))).toEqual([1]);
		expect(there(scanned(nothingFound(), goods, 'PALLET')!)).toEqual([1, 2, 3]);
	});

	test('is missing with all that it holds', () => {
		expect(lacking(nothingFound(), goods, product1, 'damaged').missing).toEqual({ 1: 'damaged', 2: 'damaged', 3: 'damaged' });
	});

	test('has a code that is on several goods read once for each', () => {
		const once = scanned(nothingFound(), goods, 'EAN')!;
		const twice = scanned(once, goods, 'ean')!;
		expect([there(once), there(twice)]).toEqual([[3], [3, 4]]);
		expect(scanned(twice, goods, 'EAN')).toBe(twice);
		expect(scanned(twice, goods, 'ELSE')).toBeUndefined();
	});
});

test.each([
	['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15', undefined, 'iPhone'],
	['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36', 'Pixel 9', 'Pixel 9'],
	['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36', '', 'Android 10'],
	['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0', undefined, 'Android 15'],
	['Something else', undefined, 'Something else']
])('the office reads which phone it is: %s', async (userAgent, model, want) => {
	const userAgentData = model === undefined ? undefined : { getHighEntropyValues: async () => ({ model }) };
	expect(await nameOfPhone({ userAgent, userAgentData })).toBe(want);
});

test('a delivery is dropped once its pickup fails', () => {
	const pickup = stop(1, { stop: 'PICKUP', orderId: 7 });
	const delivery = stop(2, { orderId: 7 });
	expect(visitsOf(route([pickup, delivery, stop(3)]), [], [did('FAIL', 1)]).map((visit) => visit.status)).toEqual(['failed', 'dropped', 'pending']);
	const back = [did('FAIL', 1), did('UNDO', 1, { undoes: 'FAIL 1' })];
	expect(visitsOf(route([pickup, delivery]), [], back).map((visit) => visit.status)).toEqual(['pending', 'pending']);
});

describe('goods that are not all there', () => {
	const product = (id: number, parentId: number | null, quantity: number) =>
		({ id, parentId, name: `Product ${id}`, quantity, weight: null, barcode: null, externalId: null, atomType: 'colli' }) as Stop['products'][number];
	const products = [product(1, null, 1), product(2, 1, 4), product(3, 1, 1)];

	test('are refused with what holds them', () => {
		const goods = goodsOf([stop(1, { products })]);
		const all = refusing({}, goods, products[0]!, 1);
		expect(all).toEqual({ 1: 1, 2: 4, 3: 1 });
		expect(isInRefused(all, goods, products[1]!)).toBe(true);
		expect(refusing(all, goods, products[0]!, 0)).toEqual({ 1: 0, 2: 0, 3: 0 });
		expect(refusing({}, goods, products[1]!, 9)).toEqual({ 2: 4 });
	});

	test('end an order when nothing is left of it', () => {
		const missing = [1, 2, 3].map((productId) => ({ productId, missing: 4 }));
		expect(goneBy({ type: 'REPORT_MISSING', missingProducts: missing }, products)).toEqual({ nothing: true, missing: { 1: 4, 2: 4, 3: 4 } });
		expect(goneBy({ type: 'REPORT_MISSING', missingProducts: missing.slice(2) }, products)).toEqual({ missing: { 3: 4 } });
		const refused = [2, 3].map((productId) => ({ productId, delivered: 0, refused: 4 }));
		expect(goneBy({ type: 'DELIVER', products: refused }, products)).toEqual({ nothing: true });
		expect(goneBy({ type: 'DELIVER' }, products)).toEqual({});
	});

	test('are not on board: the count at the door begins with what is', () => {
		const stops = [stop(1, { orderId: 7, stop: 'PICKUP', products }), stop(2, { orderId: 7, products })];
		const said = [did('REPORT_MISSING', 1, { missing: { 2: 1, 3: 1 } })];
		const [pickup, door] = visitsOf(route(stops), [], said);
		expect(pickup?.status).toBe('pending');
		expect(door?.place.products.map(({ id, quantity }) => [id, quantity])).toEqual([[1, 1], [2, 3]]);
		expect(door?.place.lacks?.map(({ id, quantity }) => [id, quantity])).toEqual([[2, 1], [3, 1]]);
		const nothing = visitsOf(route(stops), [], [did('REPORT_MISSING', 1, { missing: {}, nothing: true })]);
		expect(nothing.map(({ status }) => status)).toEqual(['failed', 'dropped']);
	});

	test('leave the rest of a place together', () => {
		const same = { name: 'Depot', latitude: 59, stop: 'PICKUP' as const };
		const stops = [1, 2, 3].map((id) => stop(id, same));
		const visits = visitsOf(route(stops), [], [did('FAIL', 2)]);
		expect(visits.map((visit) => [visit.status, visit.stops.map((one) => one.stopId)])).toEqual([['pending', [1, 3]], ['failed', [2]]]);
	});
});
