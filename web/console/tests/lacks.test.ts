import { beforeAll, describe, expect, test } from 'vitest';
import type { Reason } from '../src/lib/orders/form';
import { besides, labelOf, saidAlone, saidOf } from '../src/lib/orders/lacks';
import { speaking } from './words';

const reason = (field: string, is = '', message = 'said by the service'): Reason => ({ field, message, reason: is, code: 'UNKNOWN_INVALID_INPUT_CODE' });

beforeAll(() => speaking({
	'lack.PHONE_BAD': 'Enter a number.', 'lack.CUSTOMER_NOT_FOUND': 'Choose a customer.', 'orders.number': 'Number', 'orders.date': 'Date',
	'recurring.counted_from': 'Counted from', 'stop.delivery': 'Delivery', 'stop.contact': 'Contact', 'order.products': 'Goods',
	'field.customer': 'Customer', 'field.weight': 'Weight', 'field.postalCode': 'Postal code', 'field.phoneNumber': 'Phone', 'field.name': 'Name'
}));

describe('a missing value is described', () => {
	test('in the words of the console where it has some', () => {
		expect(saidOf(reason('delivery', 'PHONE_BAD'))).toBe('Enter a number.');
	});

	test('in the words of the service otherwise', () => {
		expect(saidOf(reason('delivery', 'QUITE_NEW'))).toBe('said by the service');
		expect(saidOf(reason('delivery'))).toBe('said by the service');
	});

	test('with what the service does not know where the form is not next to it', () => {
		const unknown = reason('customer', 'CUSTOMER_NOT_FOUND', 'there is no customer FJORD');
		expect(saidOf(unknown)).toBe('Choose a customer.');
		expect(saidAlone(unknown)).toBe('there is no customer FJORD');
		expect(saidAlone(reason('delivery', 'PHONE_BAD'))).toBe('Enter a number.');
	});
});

test.each([
	['externalId', 'Number'],
	['date', 'Date'],
	['customer', 'Customer'],
	['products', 'Goods'],
	['products[0].weight', 'Goods 1 · Weight'],
	['delivery.name', 'Delivery · Name'],
	['delivery.address.postalCode', 'Delivery · Postal code'],
	['delivery.contacts[0].phoneNumber', 'Delivery · Phone'],
	['delivery.contacts', 'Delivery · Contact'],
	['delivery.contacts[1]', 'Delivery · Contact 2'],
	['unheardOf', 'unheardOf']
])('the field %s is called %s', (path, label) => {
	expect(labelOf(path)).toBe(label);
});

test('the date of a template is the one that its times are counted from', () => {
	expect(labelOf('date', true)).toBe('Counted from');
});

test('errors without a field are shown for the part', () => {
	const fields = (all: Reason[]) => all.map(({ field }) => field);
	const stops = ['pickup', 'pickup.address.city', 'pickup.contacts[0].fax', 'pickups', 'delivery'].map((field) => reason(field));
	expect(fields(besides(stops, 'pickup', ['address.city']))).toEqual(['pickup', 'pickup.contacts[0].fax']);
	const goods = ['products[0].weight', 'products[1].length'].map((field) => reason(field));
	expect(fields(besides(goods, 'products', ['weight']))).toEqual(['products[1].length']);
});
