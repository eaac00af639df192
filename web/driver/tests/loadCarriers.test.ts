import { expect, test } from 'vitest';
import { visitsOf, type Visit } from '../src/lib/day/visits';
import type { Answered, KeptRoute, Waiting } from '../src/lib/outbox/store';
import { counted, most, saidOf, told } from '../src/lib/stop/loadCarriers';

const carriers = [{ id: 4, code: 'EUR1', name: 'EUR pallet' }, { id: 5, code: 'CAGE', name: 'Cage' }];

test('an exchange of load carriers is described with both directions', () => {
	expect(told(carriers, [{ cargoCarrierId: 4, delivered: 12, collected: 5 }, { cargoCarrierId: 5, delivered: 0, collected: 3 }])).toBe(
		'EUR pallet +12 −5, Cage −3'
	);
});

test.each([[3, 3], [-1, 0], [2.9, 2], [NaN, 0], [1e9, most]])('%d is counted as %d', (typed, want) => {
	expect(counted(typed)).toBe(want);
});

test('an exchange at a visit is shown until it is undone', () => {
	const visit = { stops: [{ stopId: 1 }, { stopId: 2 }] } as Visit;
	const said = (id: string, given: object) => ({ id, type: 'EXCHANGE_CARGO_CARRIERS', stopId: 1, ...given });
	const answers = [
		said('heard', { outcome: 'APPLIED' }), said('refused', { outcome: 'REJECTED' }), said('elsewhere', { outcome: 'APPLIED', stopId: 3 }),
		said('undone', { outcome: 'APPLIED' })
	] as Answered[];
	const waiting = [said('waits', { stopId: 2 }), { id: 'u', type: 'UNDO', stopId: 1, undoes: 'undone' }] as Waiting[];
	expect(saidOf(visit, answers, waiting).map((one) => one.id)).toEqual(['heard', 'waits']);
});

test('undoing an exchange undoes no finished stop', () => {
	const stop = { stopId: 1, stop: 'DELIVERY', status: 'completed', products: [] };
	const route = { driver: 17, upTo: 1, route: { stops: [stop] } } as unknown as KeptRoute;
	const exchange = { n: 1, id: 'e', type: 'EXCHANGE_CARGO_CARRIERS', stopId: 1, outcome: 'APPLIED', seen: true } as Answered;
	const undo = { id: 'u', type: 'UNDO', stopId: 1, undoes: 'e' } as Waiting;
	expect(visitsOf(route, [exchange], [undo]).map((visit) => visit.status)).toEqual(['completed']);
});
