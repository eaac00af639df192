import { describe, expect, test } from 'vitest';
import { requestOf } from '../src/lib/imports/file';

describe('a table', () => {
	test('is orders, with its columns as paths and numbers as numbers', () => {
		const text = 'externalId,date,delivery.address.postalCode,products.0.name,products.0.weight,customer.id\nA-1,2026-12-07,0555,Sofa,12.5,4\n';
		expect(requestOf(text)).toEqual({
			orders: [{ externalId: 'A-1', date: '2026-12-07', delivery: { address: { postalCode: '0555' } }, products: [{ name: 'Sofa', weight: 12.5 }], customer: { id: 4 } }]
		});
	});

	test.each([['semicolons', ';'], ['tabs', '\t']])('may be divided by %s, and numbers then have commas', (_, divider) => {
		const text = [['externalId', 'products.0.weight'], ['A-1', '12,5']].map((cells) => cells.join(divider)).join('\r\n');
		expect(requestOf(text)).toEqual({ orders: [{ externalId: 'A-1', products: [{ weight: 12.5 }] }] });
	});

	test('may hold anything within quotes', () => {
		expect(requestOf('externalId,delivery.name\nA-1,"Hansen, ""Ola""\nand sons"')).toEqual({
			orders: [{ externalId: 'A-1', delivery: { name: 'Hansen, "Ola"\nand sons' } }]
		});
	});

	test('leaves out empty cells, empty rows and columns without a name', () => {
		expect(requestOf('\uFEFFexternalId,,reference\n\nA-1,x,\n , ,\nA-2,,R')).toEqual({ orders: [{ externalId: 'A-1' }, { externalId: 'A-2', reference: 'R' }] });
	});
});

describe('JSON', () => {
	test('is a request, or its orders alone', () => {
		expect(requestOf('{"orders":[{"externalId":"A-1"}]}')).toEqual({ orders: [{ externalId: 'A-1' }] });
		expect(requestOf('\uFEFF [{"externalId":"A-1"}]')).toEqual({ orders: [{ externalId: 'A-1' }] });
	});

	test('that is none is an error', () => {
		expect(() => requestOf('[{"externalId":')).toThrow(SyntaxError);
	});
});
