import { describe, expect, test } from 'vitest';
import { orderForm } from '../src/lib/orders/form';
import { newlyWrong, tidy, wrongIn } from '../src/lib/orders/wrong';

const form = (given: Parameters<typeof orderForm>[0] = {}) => orderForm(given, 'Europe/Oslo');
const found = (...all: Parameters<typeof wrongIn>) => wrongIn(...all).map(({ field, reason }) => `${field} ${reason}`);
const at = (country: string, contact: object) => form({ delivery: { address: { country }, contacts: [contact] } });

test('an empty form has nothing wrong', () => {
	expect(wrongIn(form())).toEqual([]);
});

test('a past date is an error if the first one is known', () => {
	expect(found(form({ date: '2026-12-06' }), '2026-12-07')).toEqual(['date DATE_PAST']);
	expect(found(form({ date: '2026-12-07' }), '2026-12-07')).toEqual([]);
	expect(found(form({ date: '2026-12-06' }))).toEqual([]);
});

test('a country is an existing code', () => {
	expect(found(at('NO', {}))).toEqual([]);
	expect(found(at('Norge', {}))).toEqual(['delivery.address.country ADDRESS_BAD_COUNTRY']);
	expect(found(at('QX', {}))).toEqual(['delivery.address.country ADDRESS_BAD_COUNTRY']);
});

test('a country is written by its letters when its name is meant', () => {
	const written = form({ pickup: { address: { country: 'norge' } }, delivery: { address: { country: ' dk ' } } });
	tidy(written);
	expect([written.pickup.country, written.delivery.country]).toEqual(['NO', 'DK']);
});

describe('a phone number', () => {
	test.each([['NO', '92100629'], ['NO', '921 00 629'], ['NO', '+47 921 00 629'], ['', '004792100629'], ['SE', '1234567']])('in %j is %s', (country, phoneNumber) => {
		expect(found(at(country, { phoneNumber }))).toEqual([]);
	});

	test.each([['NO', '9210062'], ['DK', '1234'], ['NO', '+47 92'], ['NO', '+0792100629'], ['SE', '12345b7']])('in %j is not %s', (country, phoneNumber) => {
		expect(found(at(country, { phoneNumber }))).toEqual(['delivery.contacts[0].phoneNumber PHONE_BAD']);
	});
});

test.each([['kari@example.no', true], ['kari@example', false], ['kari example@x.no', false], ['kari@example.n', false]])('%s is an address: %j', (emailAddress, want) => {
	expect(found(at('NO', { emailAddress })).length === 0).toBe(want);
});

test('amounts are numbers, and none is negative', () => {
	const written = form({ products: [{}, {}] });
	Object.assign(written.products[0]!, { quantity: '2,5', weight: 'heavy' });
	Object.assign(written.products[1]!, { quantity: '-1', weight: '' });
	expect(found(written)).toEqual(['products[0].weight NUMBER_BAD', 'products[1].quantity NUMBER_BAD']);
});

test('errors of the original are not reported again', () => {
	const before = at('NO', { phoneNumber: '12' });
	const now = at('NO', { phoneNumber: '123', emailAddress: 'kari' });
	expect(newlyWrong(before, now).map(({ field }) => field)).toEqual(['delivery.contacts[0].emailAddress']);
});
