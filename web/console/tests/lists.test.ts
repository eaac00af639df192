import { beforeEach, describe, expect, test, vi } from 'vitest';
import { keysOf, shownOf, usualOf, type Choosable } from '../src/lib/columns';
import { byPage, byToken } from '../src/lib/listed';
import { byNextToken, byNumber, pageAsked } from '../src/lib/pager';
import { speaking } from './words';

const state = vi.hoisted(() => ({ page: { url: new URL('https://waybill.test/console/orders') } }));
vi.mock('$app/state', () => state);
vi.mock('$app/navigation', () => ({ goto: () => {} }));
const visit = (query: string) => (state.page.url = new URL(`https://waybill.test/console/orders${query}`));

beforeEach(async () => {
	visit('');
	await speaking({ 'pager.shown': '{first} to {last} of {total}' });
});

describe('the columns of a list', () => {
	const column = (key: string, more: object = {}): Choosable<string> => ({ key, title: key, text: (row) => row, ...more });
	const columns = [column('number'), column('date', { minor: true }), column('driver'), column('weight', { extra: true })];

	test('are all but the extra ones when none are asked for', () => {
		expect(usualOf(columns)).toEqual(['number', 'date', 'driver']);
		expect(keysOf(columns, '')).toEqual(['number', 'date', 'driver']);
		expect(keysOf(columns, 'unknown')).toEqual(['number', 'date', 'driver']);
	});

	test('are the first and those that are asked for, in the sequence that was asked for', () => {
		expect(keysOf(columns, 'weight,date,weight')).toEqual(['number', 'weight', 'date']);
		expect(shownOf(columns, 'weight,number,date').map(({ key }) => key)).toEqual(['number', 'weight', 'date']);
	});

	test('stay on a narrow screen when somebody chose them', () => {
		expect(shownOf(columns, '').map(({ minor }) => minor)).toEqual([undefined, true, undefined]);
		expect(shownOf(columns, 'date').map(({ key, minor }) => [key, minor])).toEqual([['number', false], ['date', false]]);
	});
});

describe('a list is read part by part', () => {
	test('by the numbers of its pages', async () => {
		const read = vi.fn((page: number) => Promise.resolve({ rows: [page], pages: 2 }));
		const part = byPage(read);
		expect(await part('', 10)).toEqual({ rows: [1], next: '2', cut: false });
		expect(await part('2', 10)).toEqual({ rows: [2], next: '', cut: false });
		expect(read).toHaveBeenLastCalledWith(2, 10);
	});

	test('by tokens', async () => {
		const part = byToken((token: string) => Promise.resolve({ items: [token], hasMore: token === '', nextToken: 'next' }), ({ items }) => items);
		expect(await part('', 10)).toEqual({ rows: [''], next: 'next' });
		expect(await part('next', 10)).toEqual({ rows: ['next'], next: '' });
	});
});

describe('the pager of a list', () => {
	test('with numbers leads to the pages around the one that the address asks for, and keeps the filters', () => {
		visit('?q=fjord&page=2');
		expect(pageAsked()).toBe(2);
		expect(byNumber(pageAsked(), 50, 50, 120, 3)).toEqual({
			shown: '51 to 100 of 120', previous: '/console/orders?q=fjord&page=1', next: '/console/orders?q=fjord&page=3'
		});
	});

	test('has no page before the first and after the last', () => {
		expect(pageAsked()).toBe(1);
		expect(byNumber(1, 50, 20, 20, 1)).toEqual({ shown: '1 to 20 of 20', previous: undefined, next: undefined });
		expect(byNumber(1, 50, 0, 0, 0).shown).toBe('');
	});

	test('with tokens leads on, and back to the first page', () => {
		expect(byNextToken('50 freights', { hasMore: true, nextToken: 'abc' })).toEqual({
			shown: '50 freights', previous: undefined, next: '/console/orders?token=abc'
		});
		visit('?token=abc');
		expect(byNextToken('3 freights', { hasMore: false, nextToken: null })).toEqual({ shown: '3 freights', previous: '/console/orders', next: undefined });
		expect(byNextToken('').next).toBeUndefined();
	});
});
