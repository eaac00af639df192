import { describe, expect, test } from 'vitest';
import { causeOf, groupsOf, laterWindowOf, risksOf, type Risk } from '../src/lib/day/worklist';
import type { PlannedStop, Unplanned } from '../src/lib/day/plan';
import { at, row, stop } from './day';

const left = (orderId: number, postalCode: string, code: string, given: Partial<Unplanned> = {}): Unplanned =>
	({
		orderId, externalId: `A-${orderId}`, departmentId: null, lock: null,
		planning: { reasons: [{ code, drivers: [], count: 0 }], counterfactuals: [] },
		delivery: { name: 'Oda', address1: 'Kirkeveien 4', postalCode, city: 'Oslo', earliest: at(8), latest: at(10) },
		...given
	}) as unknown as Unplanned;

describe('unplanned orders', () => {
	test('are grouped by reason and place, the largest group first', () => {
		const groups = groupsOf([left(1, '0368', 'WEIGHT'), left(2, '1169', 'FLEET_FULL'), left(3, '1169', 'FLEET_FULL'), left(4, '1169', 'WEIGHT')]);
		expect(groups.map(({ place, reason, orders }) => [place, reason, orders.map(({ orderId }) => orderId)])).toEqual([
			['1169 Oslo', 'FLEET_FULL', [2, 3]], ['0368 Oslo', 'WEIGHT', [1]], ['1169 Oslo', 'WEIGHT', [4]]
		]);
	});

	test('are grouped by the reason that applies to most drivers', () => {
		const both = left(1, '1169', 'WEIGHT');
		both.planning.reasons = [{ code: 'VEHICLE_TYPE', drivers: [], count: 2 }, { code: 'FLEET_FULL', drivers: [], count: 4 }];
		expect(groupsOf([both])[0]?.reason).toBe('FLEET_FULL');
	});

	test('are in one group only within a department', () => {
		expect(groupsOf([left(1, '1169', 'WEIGHT'), left(2, '1169', 'WEIGHT', { departmentId: 3 })])).toHaveLength(2);
	});

	test('are sorted by deadline within a group, also without reason and delivery', () => {
		const soon = left(2, '1169', 'WEIGHT');
		soon.delivery!.latest = at(9);
		expect(groupsOf([left(1, '1169', 'WEIGHT'), soon])[0]?.orders.map(({ orderId }) => orderId)).toEqual([2, 1]);
		const bare = { ...left(3, '', ''), delivery: undefined, planning: { reasons: [], counterfactuals: [] } } as unknown as Unplanned;
		expect(groupsOf([bare])).toMatchObject([{ place: '', reason: '' }]);
	});

	test('know which later window would help', () => {
		const helped = left(1, '1169', 'WEIGHT');
		helped.planning.counterfactuals = [{ change: 'EXTRA_DRIVER', value: '' }, { change: 'DELIVERY_LATEST', value: at(11) }];
		expect(laterWindowOf(helped)).toEqual({ orderId: 1, stop: 'delivery', earliest: at(8), was: at(10), latest: at(11) });
		helped.planning.counterfactuals = [{ change: 'PICKUP_LATEST', value: at(11) }];
		expect(laterWindowOf(helped), 'the pickup is unknown').toBeUndefined();
	});
});

const driven = (orderId: number, given: Partial<PlannedStop> = {}) =>
	stop(orderId, { drivingSeconds: 600, setupSeconds: 0, sameVisit: false, arrivesAt: at(9), latitude: 59, longitude: 10 + orderId / 100, ...given });

function riskOf(...stops: PlannedStop[]): Risk {
	const [risk] = risksOf([row(1, 'Ola', stops)], 'late');
	if (!risk) throw new Error('nothing is late');
	return risk;
}

describe('late stops', () => {
	test('are sorted, the worst first, without those at risk', () => {
		const rows = [row(1, 'Ola', [driven(1, { latest: at(8, 50) }), driven(2, { latest: at(9, 5) })]), row(2, 'Kari', [driven(3, { latest: at(8) })])];
		expect(risksOf(rows, 'late').map(({ stop, late }) => [stop.orderId, late])).toEqual([[3, 3600], [1, 600]]);
		expect(risksOf(rows, 'risk').map(({ stop, late }) => [stop.orderId, late])).toEqual([[2, -300]]);
	});

	const late = driven(9, { latest: at(8, 30) });

	test('are explained by the person who moved them', () => {
		const lock = { lockedByName: 'Astrid', reason: 'Agreed' } as PlannedStop['lock'];
		expect(causeOf(riskOf({ ...late, lock }))).toEqual({ kind: 'moved', who: 'Astrid', reason: 'Agreed' });
	});

	test('are explained by a driver who is behind the plan by as much', () => {
		expect(causeOf(riskOf({ ...late, startsAt: at(8, 20) }))).toEqual({ kind: 'behind', seconds: 2400 });
		expect(causeOf(riskOf({ ...late, startsAt: at(8, 50) })).kind, 'it was late already').toBe('stops');
	});

	test('are explained by returns to one place', () => {
		const load = (orderId: number) => driven(orderId, { stop: 'PICKUP', name: 'T-OSL', longitude: 10.8, latest: at(10) });
		expect(causeOf(riskOf(load(1), driven(1, { latest: at(10) }), load(2), driven(2, { latest: at(10) }), load(9), late)))
			.toEqual({ kind: 'returns', place: 'T-OSL', times: 2 });
		expect(causeOf(riskOf(load(1), { ...load(9), sameVisit: true }, late)).kind, 'loaded at once').toBe('stops');
	});

	test('are explained by a long wait, and otherwise by what comes first', () => {
		const waits = driven(1, { name: 'Shop', arrivesAt: at(8), startsAt: at(8, 40), eta: at(8, 40), setupSeconds: 300 });
		expect(causeOf(riskOf(waits, late))).toEqual({ kind: 'waits', place: 'Shop', seconds: 2100 });
		expect(causeOf(riskOf(driven(1), late))).toEqual({ kind: 'stops', number: 2, driving: 1200 });
	});
});
