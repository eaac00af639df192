import { afterEach, describe, expect, test, vi } from 'vitest';
import { markOf, readPlan, readFigures, readVersions, readWorkers, stopKey, versionsOf, type Plan } from '../src/lib/day/plan';
import { at, route, stop, worker } from './day';

const service = vi.hoisted(() => ({ get: vi.fn() }));
vi.mock('$shared/api', async (original) => ({
	...(await original<object>()),
	api: { GET: async (path: string, options: unknown) => ({ data: await service.get(path, options) as unknown, response: new Response() }) }
}));
afterEach(() => service.get.mockReset());

describe('a stop', () => {
	test.each([
		['late when it is reached after its window', at(12, 1), 'late'],
		['at risk with less than ten minutes left', at(11, 51), 'risk'],
		['at risk at the end of its window', at(12), 'risk'],
		['fine with ten minutes left', at(11, 50), '']
	])('is %s', (_, eta, want) => {
		expect(markOf(stop(1, { eta, latest: at(12) }))).toBe(want);
	});

	test('is late after it only when somebody came late', () => {
		const over = (arrivedAt: string) => markOf(stop(1, { eta: at(11, 55), latest: at(12), arrivedAt, endedAt: at(12, 30) }));
		expect([over(at(11, 58)), over(at(12, 3))]).toEqual(['', 'late']);
	});

	test('is told from the other stop of its order', () => {
		expect(stopKey(stop(4))).toBe('4-DELIVERY');
		expect(stopKey(stop(4, { stop: 'PICKUP' }))).toBe('4-PICKUP');
	});
});

const plans = [{ departmentId: null, version: 3 }, { departmentId: 4, version: 8 }] as Plan[];

test('the versions of a day are those of its plans', () => {
	expect(versionsOf(plans)).toBe('0:3 4:8');
	expect(versionsOf([])).toBe('');
});

test('a plan is read to its last page', async () => {
	const [first, last] = [route(1, 'Ola', [stop(1)]), route(2, 'Kari', [])];
	service.get.mockResolvedValueOnce({ plans: [], routes: [first], unplanned: [], hasMore: true, nextToken: 'next' });
	service.get.mockResolvedValueOnce({ plans, routes: [last], unplanned: [{ orderId: 9 }], hasMore: false, nextToken: '' });
	expect(await readPlan('2026-12-07')).toEqual({ plans, routes: [first, last], unplanned: [{ orderId: 9 }] });
	expect(service.get.mock.calls.map(([, { params }]) => params as unknown)).toEqual([
		{ path: { date: '2026-12-07' }, query: { token: '', pageSize: 200 } },
		{ path: { date: '2026-12-07' }, query: { token: 'next', pageSize: 200 } }
	]);
});

test('workers are read to their last page', async () => {
	service.get.mockResolvedValueOnce({ items: [worker(1, 'Ola')], hasMore: true, nextToken: 'next' });
	service.get.mockResolvedValueOnce({ items: [worker(2, 'Kari')], hasMore: false, nextToken: '' });
	expect((await readWorkers('2026-12-07')).map(({ driverName }) => driverName)).toEqual(['Ola', 'Kari']);
});

test('versions are read without the plan', async () => {
	service.get.mockResolvedValueOnce({ plans });
	expect(await readVersions('2026-12-07')).toBe('0:3 4:8');
});

test('key figures are of one department, or of all', async () => {
	await readFigures('2026-12-07', '4', new AbortController().signal);
	expect(service.get.mock.lastCall?.[1].params.query).toEqual({ departmentId: 4 });
	await readFigures('2026-12-07', '', new AbortController().signal);
	expect(service.get.mock.lastCall?.[1].params.query).toEqual({ departmentId: undefined });
});
