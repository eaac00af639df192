import { describe, expect, test } from 'vitest';
import { canSayGoods, changeOf, changes, formOf, reasonsOf } from '../src/lib/orders/edit';
import type { Order } from '../src/lib/orders/list';

const zone = 'Europe/Oslo';
const address = { address1: 'Thorvald Meyers gate 40', postalCode: '0555', country: 'NO', latitude: 59.92, longitude: 10.76 };
const stop = (type: string, given: object = {}) => ({
	type, name: 'Ola Hansen', location: null, instructions: null, window_source: 'request',
	earliest: '2026-12-07T10:00:00Z', latest: '2026-12-07T14:00:00Z',
	address: { address1: 'Thorvald Meyers gate 40', address2: null, city: null, state: null, postal_code: '0555', country: 'NO', latitude: 59.92, longitude: 10.76 },
	order_location_contacts: [{ first_name: 'Ola', last_name: null, phone_number: '+4792100629', email_address: null }],
	...given
});
const product = (id: number, given: object = {}) => ({ id, name: `P${id}`, quantity: 1, parent_id: null, external_id: null, order_product_skills: [], ...given });
const order = (given: object = {}) =>
	({
		order_id: 7, internal_order_number: 'A-1', date: '2026-12-07', latest_date: '2026-12-09', reference: 'Ref', customer_id: 4, order_type_id: 1, vehicle_type_id: 2,
		order_locations: [stop('pickup', { window_source: 'location' }), stop('delivery')],
		order_products: [product(1)],
		...given
	}) as unknown as Order;

describe('the form of an order', () => {
	test('shows what it is', () => {
		const form = formOf(order(), zone);
		expect(form).toMatchObject({ externalId: 'A-1', date: '2026-12-07', reference: 'Ref', customer: '4', orderType: '1', vehicleType: '2' });
		expect(form.delivery).toMatchObject({ name: 'Ola Hansen', postalCode: '0555', earliest: '2026-12-07T11:00', contact: { firstName: 'Ola' } });
	});

	test('leaves out a time window that nobody has written', () => {
		expect(formOf(order(), zone).pickup.earliest).toBe('');
	});

	test('changes nothing by itself', () => {
		expect(changes(formOf(order(), zone), formOf(order(), zone), zone)).toEqual({});
	});

	test('sends what was changed, by the names of the contract', () => {
		const form = formOf(order(), zone);
		form.date = '2026-12-08';
		form.reference = '';
		form.latestDate = '';
		form.vehicleType = '3';
		form.delivery.contact.phoneNumber = '+4792100630';
		expect(changes(formOf(order(), zone), form, zone)).toEqual({
			date: '2026-12-08',
			reference: '',
			latest_date: '',
			vehicle_type: { id: 3 },
			delivery: { contacts: [{ first_name: 'Ola', phone_number: '+4792100630' }] }
		});
	});

	test('sends both ends of a window', () => {
		const form = formOf(order(), zone);
		form.delivery.earliest = '2026-12-07T12:00';
		form.delivery.latest = '';
		expect(changes(formOf(order(), zone), form, zone)).toEqual({ delivery: { earliest: '2026-12-07T11:00:00.000Z', latest: null } });
	});
});

describe('a stop that is changed', () => {
	const before = { delivery: { externalId: 'DEPOT', name: 'Depot', address } };

	test('to another street is at another point, under its name', () => {
		const now = { delivery: { name: 'Depot', address: { ...address, address1: 'Storgata 1' } } };
		expect(changeOf({ delivery: { name: 'Depot', address } }, now)).toEqual({
			delivery: { name: 'Depot', address: { address1: 'Storgata 1', postal_code: '0555', country: 'NO' } }
		});
	});

	test('to another known place brings the address of that', () => {
		expect(changeOf(before, { delivery: { externalId: 'SHOP', name: 'Depot', address } })).toEqual({ delivery: { external_id: 'SHOP' } });
	});

	test('from a known place to the address alone keeps its point', () => {
		expect(changeOf(before, { delivery: { name: 'Depot', address } })).toEqual({
			delivery: { name: 'Depot', address: { address1: 'Thorvald Meyers gate 40', postal_code: '0555', country: 'NO', latitude: 59.92, longitude: 10.76 } }
		});
	});

	test('loses what was taken away', () => {
		expect(changeOf({ delivery: { name: 'Depot', instructions: 'Ring', contacts: [{ firstName: 'Ola' }] } }, {})).toEqual({
			delivery: { name: '', instructions: '', contacts: [] }
		});
	});
});

test('goods are sent as a whole, and none as an empty list', () => {
	expect(changeOf({ products: [{ name: 'A' }] }, { products: [{ name: 'A', barcodeId: 'B' }] })).toEqual({ products: [{ name: 'A', barcode_id: 'B' }] });
	expect(changeOf({ products: [{ name: 'A' }] }, {})).toEqual({ products: [] });
});

test('goods that lie in others are known by the identifiers of these', () => {
	const packed = [product(1, { external_id: 'BOX' }), product(2, { parent_id: 1 })];
	expect(formOf(order({ order_products: packed }), zone).products.map(({ kept }) => kept.parentExternalId)).toEqual([undefined, 'BOX']);
	expect(canSayGoods(order({ order_products: packed }))).toBe(true);
	expect(canSayGoods(order({ order_products: [product(1), product(2, { parent_id: 1 })] }))).toBe(false);
});

test('what is refused stands at the fields of the form', () => {
	const [reason] = reasonsOf([{ field: 'delivery.address.postal_code', text: 'no such code', reason: 'ADDRESS_BAD' }]);
	expect(reason).toMatchObject({ field: 'delivery.address.postalCode', message: 'no such code', reason: 'ADDRESS_BAD' });
});
