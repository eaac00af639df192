import { expect, test } from 'vitest';
import { addressOf, pointOf } from '../src/lib/places/places';

test('coordinates are read as maps copy them', () => {
	expect(pointOf('59.9135, 10.7501')).toEqual({ latitude: 59.9135, longitude: 10.7501 });
	expect(pointOf(' -33.8 151.2 ')).toEqual({ latitude: -33.8, longitude: 151.2 });
	for (const text of ['', '59.9', '91, 10', '59, 181', 'north, east']) expect(pointOf(text)).toBeUndefined();
});

test('an address leaves out what is missing', () => {
	expect(addressOf({ address1: 'Storgata 1', postalCode: '0155', city: 'Oslo' })).toBe('Storgata 1, 0155 Oslo');
	expect(addressOf({ address1: null, postalCode: null, city: 'Oslo' })).toBe('Oslo');
});
