import { beforeEach, describe, expect, test, vi } from 'vitest';
import { toasts } from '../../shared/toasts.svelte';
import type { Day, Place } from '../src/lib/day/day.svelte';
import { mostAtOnce, Moves } from '../src/lib/day/moves.svelte';
import { place } from './day';
import { speaking } from './words';

interface Body {
	version: number;
	dryRun: boolean;
	reason?: string;
	moves: { orderId: number; driverId: number }[];
}
type Answer = { status?: number; reason?: string; data?: unknown };

const service = vi.hoisted(() => ({ answer: vi.fn<(asked: string, body: unknown) => unknown>() }));
vi.mock('$shared/api', async (original) => {
	const call = (method: string) => (path: string, options: { body?: unknown }) => {
		const { status = 200, reason = '', data } = service.answer(`${method} ${path}`, options.body) as Answer;
		const error = { message: `refused: ${reason}`, details: [{ reason }] };
		return Promise.resolve({ ...(status < 400 ? { data } : { error }), response: new Response(null, { status }) });
	};
	return { ...(await original<object>()), api: { GET: call('GET'), POST: call('POST'), PUT: call('PUT') } };
});
vi.mock('$shared/session.svelte', () => ({ person: () => ({ user_id: 1 }), zone: () => 'Europe/Oslo', may: () => true }));

const move = 'POST /v2/plans/{date}/moves';
const undo = 'POST /v2/plans/{date}/undo';
const undone = (...ids: number[]) => ({ data: { orders: ids.map((orderId) => ({ orderId, driverId: 1 })) } });
const outcome = (version: number, breaks: string[] = []) => ({ data: { version, breaks, cost: { drivingSeconds: 60 } } });
const ola = { driverId: 17, driverName: 'Ola' };
const said = () => toasts().at(-1);
const asked = () => service.answer.mock.calls.filter(([what]) => what === move).map(([, body]) => body as Body);

function board(...places: Place[]) {
	const day = {
		date: '2026-12-07',
		rows: [],
		plan: { data: { plans: [{ departmentId: null, version: 3 }] } },
		placeOf: (orderId: number) => places.find((one) => one.orderId === orderId),
		reload: vi.fn(async () => {})
	};
	return { day, moves: new Moves(day as unknown as Day) };
}

beforeEach(async () => {
	service.answer.mockReset();
	service.answer.mockImplementation(() => outcome(3));
	await speaking({
		'day.begun': 'begun {number}', 'day.moved': 'moved {number} to {driver}', 'day.undone': 'undone {number}', 'day.undo_other': 'another one',
		'day.not_undone': 'not undone: {why}', 'day.orders_count': { one: '{count} order', other: '{count} orders' }, 'action.undo': 'Undo'
	});
});

describe('a driver is looked for', () => {
	test('for orders that nobody has begun with, as many as move at once', () => {
		const { moves } = board();
		const many = Array.from({ length: mostAtOnce + 5 }, (_, id) => place(id, 1, { begun: id === 0 }));
		moves.choose(many);
		expect(moves.choosing?.length).toBe(mostAtOnce);
		expect(moves.choosing?.[0]?.orderId).toBe(1);
	});

	test('for none when all are begun, which is said', () => {
		const { moves } = board();
		moves.choose([place(4, 1, { begun: true })]);
		expect(moves.choosing).toBeUndefined();
		expect(said()).toMatchObject({ text: 'begun A-4', kind: 'failed' });
	});
});

describe('a move is considered', () => {
	test('by the plan that the board shows, and nothing moves', async () => {
		const order = place(4, 1);
		const { moves } = board(order);
		await moves.consider([order], ola);
		expect(asked()).toEqual([{ version: 3, departmentId: null, dryRun: true, moves: [{ orderId: 4, driverId: 17 }] }]);
		expect(moves.considered).toMatchObject({ to: ola, outcome: { version: 3 } });
	});

	test('each order alone when they are refused together', async () => {
		const orders = [place(1, 1), place(2, 1), place(3, 1)];
		const { moves } = board(...orders);
		service.answer.mockImplementation((_, body) =>
			(body as Body).moves.some(({ orderId }) => orderId === 2) ? { status: 409, reason: 'PLAN_ORDER_BEGUN' } : outcome(3));
		await moves.consider(orders, ola);
		expect(asked().map((body) => body.moves.map(({ orderId }) => orderId))).toEqual([[1, 2, 3], [1], [2], [3], [1, 3]]);
		expect(moves.considered?.orders.map(({ orderId }) => orderId)).toEqual([1, 3]);
		expect(moves.considered?.refused).toEqual([{ order: orders[1], why: 'refused: PLAN_ORDER_BEGUN' }]);
	});

	test('once more by the newest plan when somebody else has moved one of the orders', async () => {
		const orders = [place(4, 1), place(5, 1)];
		const { moves } = board(...orders);
		service.answer.mockImplementation((what, body) => {
			if (what.startsWith('GET')) return { data: { plans: [{ departmentId: null, version: 9 }] } };
			return (body as Body).version === 9 ? outcome(9) : { status: 409, reason: 'PLAN_ORDER_MOVED' };
		});
		await moves.consider(orders, ola);
		expect(asked().map(({ version }) => version)).toEqual([3, 9]);
		expect(moves.considered).toMatchObject({ moved: 'refused: PLAN_ORDER_MOVED', outcome: { version: 9 } });
	});
});

describe('a move is carried out', () => {
	test('by the version that was seen, and the service undoes it', async () => {
		const order = place(4, 1);
		const { day, moves } = board(order);
		service.answer.mockImplementation((what, body) => (what === undo ? undone(4) : outcome((body as Body).dryRun ? 5 : 6)));
		await moves.consider([order], ola);
		expect(await moves.carryOut('asked for')).toBe(true);
		expect(asked()[1]).toMatchObject({ version: 5, dryRun: false, reason: 'asked for' });
		expect(moves.considered).toBeUndefined();
		expect(moves.undoable).toBe('A-4');
		expect(said()).toMatchObject({ text: 'moved A-4 to Ola', action: { label: 'Undo' } });

		await moves.undo();
		const undos = service.answer.mock.calls.filter(([what]) => what === undo).map(([, body]) => body);
		expect(undos).toEqual([{ departmentId: null, moves: 1, dryRun: true }, { departmentId: null, moves: 1 }]);
		expect(moves.undoable).toBe('');
		expect(said()?.text).toBe('undone A-4');
		expect(day.reload).toHaveBeenCalledTimes(2);
	});

	test('and not undone when the last change of the plan is another one', async () => {
		const order = place(4, null);
		const { moves } = board(order);
		await moves.consider([order], ola);
		await moves.carryOut('');
		service.answer.mockClear();
		service.answer.mockImplementation(() => undone(4, 5));
		await moves.undo();
		expect(service.answer).toHaveBeenCalledExactlyOnceWith(undo, { departmentId: null, moves: 1, dryRun: true });
		expect(said()).toMatchObject({ text: 'not undone: another one', kind: 'failed' });
	});

	test('of several orders, and says so of each', async () => {
		const orders = [place(1, 1), place(2, 1)];
		const { moves } = board(...orders);
		await moves.consider(orders, ola);
		await moves.carryOut('');
		expect(moves.considered).toMatchObject({ orders, done: true });
		expect(moves.undoable).toBe('2 orders');
	});

	test('never when the service refuses it', async () => {
		const order = place(4, 1);
		const { day, moves } = board(order);
		await moves.consider([order], ola);
		service.answer.mockImplementation(() => ({ status: 422, reason: 'PLAN_REASON_MISSING' }));
		expect(await moves.carryOut('')).toBe(false);
		expect(moves.considered?.problem?.reason).toBe('PLAN_REASON_MISSING');
		expect(moves.undoable).toBe('');
		expect(moves.busy).toBe(false);
		expect(day.reload).toHaveBeenCalledOnce();
	});
});

test('a failed undo is reported, and not retried', async () => {
	const { moves } = board();
	const back = vi.fn(() => Promise.reject(new Error('gone')));
	moves.remember({ orders: [place(4, 1)], to: ola, version: 3, back });
	await moves.undo();
	await moves.undo();
	expect(back).toHaveBeenCalledOnce();
	expect(said()).toMatchObject({ kind: 'failed' });
});
