import { beforeAll, expect, test } from 'vitest';
import { travelNote } from '../src/lib/day/travelTimes';
import { speaking } from './words';

beforeAll(() =>
	speaking({
		'day.computed': 'unavailable', 'day.other_class_roads': 'other vehicles',
		'day.outside_regions': { one: 'one leg', other: '{count} legs' }
	})
);

test('the worst reason of all plans is told, and places outside only if a leg goes there', () => {
	const outside = (guessedLegs: number) => ({ travelFailureCode: 'OUTSIDE_OF_REGIONS' as const, guessedLegs });
	expect(travelNote([])).toBeUndefined();
	expect(travelNote([{ travelFailureCode: null, guessedLegs: 0 }, outside(0)])).toBeUndefined();
	expect(travelNote([outside(2), outside(5)])).toBe('7 legs');
	expect(travelNote([outside(2), { travelFailureCode: 'NO_DATA_FOR_CLASS', guessedLegs: 0 }])).toBe('other vehicles');
	expect(travelNote([outside(2), { travelFailureCode: 'UNAVAILABLE', guessedLegs: 0 }])).toBe('unavailable');
});
