import { expect, test } from 'vitest';
import { ask, whenSuspended } from '../../shared/api';

const refusal = (reason: string) => ({ code: 7, message: 'no', details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] });
const answer = (status: number, error?: unknown) => ask(Promise.resolve({ data: {}, error, response: new Response(null, { status }) })).catch(() => {});

test('the suspension of an organization is reported until the service responds again', async () => {
	const told: boolean[] = [];
	whenSuspended((is) => told.push(is));
	await answer(403, refusal('OTHER'));
	await answer(500);
	expect(told).toEqual([]);
	await answer(403, refusal('ORGANIZATION_SUSPENDED'));
	await answer(200);
	expect(told).toEqual([true, false]);
});
