import { describe, expect, test } from 'vitest';
import { localOf, momentOf, noProduct, numberOf, orderForm, orderOf } from '../src/lib/orders/form';

const zone = 'Europe/Oslo';
const order = {
	externalId: 'A-1',
	date: '2026-12-07',
	customer: { externalId: 'FJORD' },
	pickup: { externalId: 'DEPOT' },
	delivery: {
		name: 'Ola Hansen',
		address: { address1: 'Thorvald Meyers gate 40', postalCode: '0555', city: 'Oslo', country: 'NO', latitude: 59.92 },
		earliest: '2026-12-07T10:00:00Z',
		latest: '2026-12-07T14:00:00Z',
		contacts: [{ firstName: 'Ola', phoneNumber: '+4792100629' }, { firstName: 'Kari' }]
	},
	products: [{ name: 'Sofa', quantity: 2, weight: 80.5, barcodeId: 'B-1' }]
};

describe('an order in a form', () => {
	test('shows its times by the clock of the organization', () => {
		const { delivery } = orderForm(order, zone);
		expect([delivery.earliest, delivery.latest]).toEqual(['2026-12-07T11:00', '2026-12-07T15:00']);
	});

	test('comes back as it was, with what the form does not show', () => {
		expect(orderOf(orderForm(order, zone), zone)).toEqual(order);
	});

	test('is nothing when nothing is written', () => {
		expect(orderOf(orderForm({}, zone), zone)).toEqual({ products: [] });
	});

	test('has what was chosen instead of what came', () => {
		const form = orderForm(order, zone);
		form.customer = '4';
		form.orderType = '2';
		expect(orderOf(form, zone)).toMatchObject({ customer: { id: 4 }, orderType: { id: 2 } });
	});

	test('loses what is emptied', () => {
		const form = orderForm(order, zone);
		form.pickup.externalId = '';
		form.delivery.latest = '';
		form.delivery.contact.firstName = form.delivery.contact.phoneNumber = '';
		form.products = [];
		const { pickup, delivery, products } = orderOf(form, zone);
		expect(pickup).toBeUndefined();
		expect(delivery?.latest).toBeUndefined();
		expect(delivery?.contacts, 'the second contact stays the second').toEqual([{}, { firstName: 'Kari' }]);
		expect(products).toEqual([]);
	});

	test('has a new time where one was written', () => {
		const form = orderForm(order, zone);
		form.delivery.earliest = '2026-12-07T12:30';
		expect(orderOf(form, zone).delivery).toMatchObject({ earliest: '2026-12-07T11:30:00.000Z', latest: '2026-12-07T14:00:00Z' });
	});

	test('takes numbers with a comma, and one of a new product', () => {
		const form = orderForm(order, zone);
		form.products[0]!.weight = '12,5';
		form.products.push({ ...noProduct(), name: 'Lamp' });
		expect(orderOf(form, zone).products).toEqual([
			{ name: 'Sofa', quantity: 2, weight: 12.5, barcodeId: 'B-1' },
			{ name: 'Lamp', quantity: 1 }
		]);
	});
});

test.each([['2,5', 2.5], ['2.5', 2.5], [' ', undefined], ['0', 0], ['x', NaN]])('%j is the number %j', (text, want) => {
	expect(numberOf(text)).toEqual(want);
});

describe('the clock of a zone', () => {
	test.each([
		['in winter', '2026-12-07T08:00', '2026-12-07T07:00:00.000Z'],
		['in summer', '2026-07-01T08:00', '2026-07-01T06:00:00.000Z'],
		['on the day when it goes forward', '2026-03-29T08:00', '2026-03-29T06:00:00.000Z'],
		['before it goes forward', '2026-03-29T01:30', '2026-03-29T00:30:00.000Z'],
		['on the day when it goes back', '2026-10-25T08:00', '2026-10-25T07:00:00.000Z']
	])('is understood %s', (_, local, moment) => {
		expect(momentOf(local, zone)).toBe(moment);
		expect(localOf(moment, zone)).toBe(local);
	});

	test('shows nothing of nothing', () => {
		expect([momentOf('', zone), localOf('', zone), localOf(null, zone), localOf('soon', zone)]).toEqual(['', '', '', '']);
	});
});
