import { expect, test } from 'vitest';
import { outcomeOf, placed } from '../src/lib/imports/outcomes';

const results = ['A-1', 'A-4'].map((externalId, at) => outcomeOf({ orderCreated: { OrderID: at + 1, externalId } }));

test('results have the places of their orders when an import ended before all were done', () => {
	expect(placed(results, [1, 2, 4]).map((one) => [one.place, one.outcome?.externalId])).toEqual([
		[0, 'A-1'],
		[1, undefined],
		[2, undefined],
		[3, 'A-4'],
		[4, undefined]
	]);
});

test('a complete import has a result for each order', () => {
	expect(placed(results).map((one) => [one.place, one.outcome?.externalId])).toEqual([
		[0, 'A-1'],
		[1, 'A-4']
	]);
});
