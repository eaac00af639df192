import { afterEach, describe, expect, test, vi } from 'vitest';
import { written } from '../src/lib/outbox/action';
import type { Waiting } from '../src/lib/outbox/store';
import { wireOf } from '../src/lib/outbox/wire';

const action: Waiting = {
	...written({ type: 'DELIVER', stopId: 5, comment: 'Bak skjulet' }, 'Kari', new Date('2026-12-07T09:00:00Z')),
	seq: 1,
	driver: 17,
	tries: 0
};
const wire = wireOf(() => 'nb', () => new Date('2026-12-09T06:00:00Z'));

function answers(answer: Response | Error) {
	const asked = vi.fn(() => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)));
	vi.stubGlobal('fetch', asked);
	return asked;
}

const json = (status: number, body: unknown, headers = {}) => new Response(JSON.stringify(body), { status, headers });
const refusal = { code: 3, message: 'The request is malformed.', details: [] };

afterEach(() => vi.unstubAllGlobals());

describe('an action on the wire', () => {
	test('has the bytes that were kept, and when it is sent', async () => {
		const asked = answers(json(200, { results: [{ id: action.id, outcome: 'APPLIED', repeated: false }] }));
		expect(await wire.send([action])).toEqual({ kind: 'answers', answers: [{ outcome: 'APPLIED', reason: '', text: '' }] });
		const [path, init] = asked.mock.calls[0] as unknown as [string, RequestInit];
		expect(path).toBe('/v1/driver/actions');
		expect(init.body).toBe(`{"actions":[${action.body.slice(0, -1)},"sentAt":"2026-12-09T06:00:00.000Z"}]}`);
		expect(JSON.parse(action.body)).toEqual({
			id: action.id, type: 'DELIVER', stopId: 5, comment: 'Bak skjulet', occurredAt: '2026-12-07T09:00:00.000Z'
		});
	});

	test('goes with others, each with its own result', async () => {
		const other = { ...action, ...written({ type: 'ARRIVE', stopId: 6 }, 'Per', new Date('2026-12-07T09:10:00Z')), seq: 2 };
		const asked = answers(json(200, { results: [{ id: action.id, outcome: 'APPLIED' }, { id: other.id, outcome: 'RECORDED', reason: 'UNDONE', text: 'x' }] }));
		expect(await wire.send([action, other])).toEqual({
			kind: 'answers', answers: [{ outcome: 'APPLIED', reason: '', text: '' }, { outcome: 'RECORDED', reason: 'UNDONE', text: 'x' }]
		});
		const [, init] = asked.mock.calls[0] as unknown as [string, RequestInit];
		expect((JSON.parse(init.body as string) as { actions: { id: string }[] }).actions.map(({ id }) => id)).toEqual([action.id, other.id]);
		answers(json(200, { results: [{ id: action.id, outcome: 'APPLIED' }] }));
		expect(await wire.send([action, other]), 'less than all').toEqual({ kind: 'later', failure: 'network' });
	});

	test.each([
		['a lost answer', new TypeError('Failed to fetch'), 'network'],
		['the page of a hotel that wants to be paid', new Response('<html>Welcome</html>', { status: 200 }), 'network'],
		['an answer to something else', json(200, { results: [{ id: 'other', outcome: 'APPLIED' }] }), 'network'],
		['a fault', json(500, refusal), 'server'],
		['a proxy that does not know the address', new Response('Not found', { status: 404 }), 'server'],
		['a revoked phone', json(401, refusal), 'stranger'],
		['somebody else’s session', json(403, refusal), 'stranger']
	])('is kept after %s', async (_, answer, failure) => {
		answers(answer);
		expect(await wire.send([action])).toEqual({ kind: 'later', failure, after: undefined });
	});

	test('waits as long as the service says', async () => {
		answers(json(429, refusal, { 'Retry-After': '7' }));
		expect(await wire.send([action])).toEqual({ kind: 'later', failure: 'busy', after: 7000 });
	});

	test('is answered when the service itself says that it will never do', async () => {
		answers(json(400, refusal));
		expect(await wire.send([action])).toEqual({
			kind: 'refused', answer: { outcome: 'REJECTED', reason: 'MALFORMED', text: 'The request is malformed.' }
		});
	});
});
