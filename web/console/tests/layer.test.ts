import { expect, test, vi } from 'vitest';
import { Layer, lineOf } from '../src/lib/map/layer';
import type { MapLine } from '../src/lib/map/things';

const line = (key: string, ...points: [number, number][]): MapLine => ({ key, of: key, color: 0, dash: 0, driven: false, points });

test('only what changed reaches the source', () => {
	const source = { setData: vi.fn(), updateData: vi.fn() };
	const layer = new Layer<MapLine>(lineOf);
	layer.show(source, [line('a', [1, 1], [2, 2]), line('b', [3, 3])]);
	expect(source.setData.mock.calls[0]![0].features).toHaveLength(2);
	layer.show(source, [line('a', [1, 1], [2, 2]), line('b', [3, 3])]);
	expect(source.updateData).not.toHaveBeenCalled();
	layer.show(source, [line('a', [1, 1], [2, 3]), line('c', [4, 4])]);
	const [{ add, remove }] = source.updateData.mock.calls[0]!;
	expect([add.map((one: { properties: { key: string } }) => one.properties.key), remove]).toEqual([['a', 'c'], ['b']]);
	expect(source.setData).toHaveBeenCalledTimes(1);
});

test('only what stands out differently is lit', () => {
	const layer = new Layer<MapLine>(lineOf);
	layer.show({ setData: vi.fn(), updateData: vi.fn() }, [line('a'), line('b')]);
	const set = vi.fn();
	layer.light(() => '', set);
	expect(set).not.toHaveBeenCalled();
	layer.light(({ key }) => (key === 'a' ? 'chosen' : 'faded'), set);
	expect(set.mock.calls).toEqual([['a', { chosen: true, faded: false }], ['b', { chosen: false, faded: true }]]);
	layer.light(({ key }) => (key === 'a' ? 'chosen' : ''), set);
	expect(set).toHaveBeenCalledTimes(3);
});
