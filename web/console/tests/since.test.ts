import { describe, expect, test } from 'vitest';
import { formerDriver, groupsOf, type Change } from '../src/lib/day/since/changes';
import { differenceOf } from '../src/lib/day/since/differences';
import { formerWay } from '../src/lib/day/since/formerWay';
import type { PlannedStop } from '../src/lib/day/plan';

const change = (kind: Change['kind'], given: Partial<Change> = {}): Change => ({
	at: '2026-12-07T09:00:00Z', kind, actor: 'user:7', actorName: 'Kari', orderId: 1, externalId: 'A-1', fromDriverId: null, fromDriverName: null,
	driverId: null, driverName: null, fromTime: null, time: null, exception: null, differences: [], ...given
});
const said = (changes: Change[]) => groupsOf(changes).map(({ kind, actorName, driverName, changes: all }) => `${kind} ${actorName} ${driverName} ${all.length}`);

describe('changes are told', () => {
	test('together when one person did the same for one driver', () => {
		expect(said([
			change('MOVED', { orderId: 1, driverName: 'Ola' }),
			change('MOVED', { orderId: 2, driverName: 'Ola' }),
			change('MOVED', { orderId: 3, driverName: 'Ida' }),
			change('MOVED', { orderId: 4, driverName: 'Ola', actor: 'user:8', actorName: 'Per' })
		])).toEqual(['MOVED Kari Ola 2', 'MOVED Kari Ida 1', 'MOVED Per Ola 1']);
	});

	test('with what needs somebody first', () => {
		const kinds = groupsOf([change('RETIMED'), change('MOVED'), change('NEW', { orderId: 2 }), change('FAILED'), change('EXCEPTION')]).map(({ kind }) => kind);
		expect(kinds).toEqual(['EXCEPTION', 'FAILED', 'NEW', 'MOVED', 'RETIMED']);
	});

	test('once for a new order, with the driver it got', () => {
		const groups = groupsOf([change('PLANNED', { actor: 'system', actorName: null, driverName: 'Ola', driverId: 17, time: '2026-12-07T10:00:00Z' }), change('NEW')]);
		expect(groups).toHaveLength(1);
		expect(groups[0]).toMatchObject({ kind: 'NEW', changes: [{ driverName: 'Ola', driverId: 17, time: '2026-12-07T10:00:00Z' }] });
	});

	test('by the driver who lost the orders', () => {
		expect(said([change('UNPLANNED', { fromDriverName: 'Ola' })])).toEqual(['UNPLANNED Kari Ola 1']);
	});
});

test('an order goes back to the driver who had it, and a new one nowhere', () => {
	expect(formerDriver(change('MOVED', { fromDriverId: 3, fromDriverName: 'Ola' }))).toEqual({ driverId: 3, driverName: 'Ola' });
	expect(formerDriver(change('PLANNED'))).toBeUndefined();
	expect(formerDriver(change('RETIMED', { fromDriverId: 3 }))).toBeUndefined();
});

test('differences are told with what was and what is', () => {
	const is = (what: Parameters<typeof differenceOf>[0]['what'], from: string | null, to: string | null) => differenceOf({ what, from, to });
	expect(is('WEIGHT', '5', '12.25')).toMatch(/5 kg → 12[.,]3 kg$/);
	expect(is('DELIVERY_WINDOW', '2026-12-07T08:00:00Z/2026-12-07T12:00:00Z', '2026-12-07T08:00:00Z/2026-12-07T13:30:00Z')).toMatch(
		/\d\d:00–\d\d:00 → \d\d:00–\d\d:30$/
	);
	expect(is('VEHICLE_TYPE', null, 'Van')).toMatch(/→ Van$/);
	expect(is('DELIVERY_PLACE', null, null)).not.toContain('→');
});

test('the former place of an order is between the stops that its driver still has', () => {
	const stop = (orderId: number, hour: number) => ({ orderId, startsAt: `2026-12-07T${hour}:00:00Z`, longitude: hour, latitude: orderId }) as PlannedStop;
	const was = (hour: number) => ({ orderId: 9, driverId: 3, number: 'A-9', at: `2026-12-07T${hour}:30:00Z` });
	const [route, goesTo] = [[stop(1, 10), stop(2, 11), stop(9, 12), stop(3, 13)], stop(9, 20)];
	expect(formerWay(was(11), route, goesTo)).toEqual([[11, 2], [20, 9], [13, 3]]);
	expect(formerWay(was(12), route, goesTo), 'not over the order itself').toEqual([[11, 2], [20, 9], [13, 3]]);
	expect(formerWay({ ...was(10), at: '2026-12-07T09:00:00Z' }, route, goesTo)).toEqual([[20, 9], [10, 1]]);
	expect(formerWay(was(14), route, goesTo)).toEqual([[13, 3], [20, 9]]);
	expect(formerWay(was(11), [stop(9, 12)], goesTo)).toEqual([]);
});
