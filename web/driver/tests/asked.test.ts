import { expect, test } from 'vitest';
import { asked, lacking } from '../src/lib/stop/asked';

const stop = (proof?: object) => ({ proof: { inPerson: {}, contactless: {}, failure: {}, ...proof } });

test('the strictest of several orders at one place decides the required proof', () => {
	const stops = [stop({ inPerson: { name: 'required', photo: 'off' } }), stop({ inPerson: { photo: 'warn', signature: 'optional' } })];
	const levels = asked(stops, 'inPerson');
	expect(levels).toEqual({ name: 'required', signature: 'optional', photo: 'warn', scan: 'off', comment: 'off' });
	expect(lacking(levels, 'required', {})).toEqual(['name']);
	expect(lacking(levels, 'required', { name: true })).toEqual([]);
	expect(lacking(levels, 'warn', { name: true })).toEqual(['photo']);
});

test('a route stored without rules has the defaults', () => {
	const old = [{} as ReturnType<typeof stop>];
	expect(lacking(asked(old, 'inPerson'), 'required', {})).toEqual(['name']);
	expect(lacking(asked(old, 'contactless'), 'required', {})).toEqual(['photo']);
	expect(lacking(asked(old, 'failure'), 'required', {})).toEqual([]);
});
