import { describe, expect, test } from 'vitest';
import { drawn, hour, hourWidth, leastWidth, marksOf, spanOf, ticksOf } from '../src/lib/day/axis';
import { at, beginning, route, row, stop } from './day';

const works = (from: number, to: number) => ({ from: beginning + from * hour, to: beginning + to * hour });
const shown = (rows: Parameters<typeof spanOf>[1]) => {
	const { from, to, hours } = spanOf(beginning, rows);
	return [(from - beginning) / hour, (to - beginning) / hour, hours];
};

describe('the hours of a board', () => {
	test('are eight to four on an empty day', () => {
		expect(shown([])).toEqual([8, 16, 8]);
	});

	test('are whole hours around what drivers work', () => {
		expect(shown([row(1, 'Ola', [], { works: works(5.5, 14) }), row(2, 'Kari', [], { works: works(9, 16.25) })])).toEqual([5, 17, 12]);
	});

	test('hold a route outside of them', () => {
		expect(shown([row(1, 'Ola', [], { works: works(8, 16), route: route(1, 'Ola', [], { startsAt: at(7, 45), endsAt: at(25) }) })])).toEqual([7, 25, 18]);
	});
});

describe('the hours of a night', () => {
	const shift = (from: number, to: number) => spanOf(beginning, [row(1, 'Ola', [], { works: works(from, to) })]);
	const nextDay = (of: ReturnType<typeof spanOf>, after = 24) =>
		ticksOf(of, beginning + after * hour).flatMap(({ at, beginsDay }) => (beginsDay ? [(at - beginning) / hour] : []));

	test('go on past midnight until the shift is over', () => {
		const night = shift(22, 30);
		expect([(night.from - beginning) / hour, (night.to - beginning) / hour, night.hours]).toEqual([8, 30, 22]);
		expect(ticksOf(night, beginning + 24 * hour)).toHaveLength(22);
		expect(nextDay(night)).toEqual([24]);
	});

	test('have no next day when all shifts end by midnight', () => {
		expect(nextDay(shift(7, 15))).toEqual([]);
		expect(nextDay(shift(14, 24))).toEqual([]);
	});

	test('have the next day where it begins when the clocks are turned', () => {
		expect(nextDay(shift(22, 30), 23)).toEqual([23]);
		expect(nextDay(shift(22, 30), 25)).toEqual([25]);
	});
});

describe('the width of an hour', () => {
	const busy = (stops: number, hours: number) =>
		row(1, 'Ola', Array.from({ length: stops }, (_, id) => stop(id)), { route: route(1, 'Ola', [], { startsAt: at(8), endsAt: at(8 + hours) }) });

	test('as can be read when there is little in it', () => {
		expect(hourWidth([])).toBe(48);
		expect(hourWidth([busy(0, 8), busy(4, 8)])).toBe(48);
	});

	test('as the fullest row needs', () => {
		expect(hourWidth([busy(4, 8), busy(8, 2)])).toBe(4 * leastWidth);
	});

	test('as 240 pixels at most', () => {
		expect(hourWidth([busy(100, 2)])).toBe(240);
	});

	test('for a short route as if it took an hour', () => {
		expect(hourWidth([busy(3, 0.25)])).toBe(3 * leastWidth);
	});
});

describe('stops are drawn', () => {
	const span = spanOf(beginning, []);
	const drawnAt = (...times: [from: number, to: number][]) =>
		drawn(marksOf(times.map(([from, to], id) => stop(id, { startsAt: at(8, from), leavesAt: at(8, to) })), 60), span, 60).map(({ left, width, line }) => [left, width, line]);

	test('where their times are, as wide as they take', () => {
		expect(drawnAt([0, 30], [45, 105])).toEqual([[0, 30, 0], [45, 60, 0]]);
	});

	test('wide enough for a finger', () => {
		expect(drawnAt([0, 5])).toEqual([[0, leastWidth - 2, 0]]);
	});

	test('on another line where one would cover another', () => {
		expect(drawnAt([0, 5], [5, 10], [30, 35])).toEqual([[0, 24, 0], [5, 24, 1], [30, 24, 0]]);
	});

	test('on three lines at most; then on the line that ends first', () => {
		expect(drawnAt([0, 40], [1, 30], [2, 50], [3, 8], [4, 9]).map(([, , line]) => line)).toEqual([0, 1, 2, 1, 1]);
	});

	test('with the room until the next one on their line', () => {
		const marks = marksOf([[0, 5], [40, 45]].map(([from, to], id) => stop(id, { startsAt: at(8, from), leavesAt: at(8, to) })), 60);
		expect(drawn(marks, span, 60).map(({ room }) => room)).toEqual([40, Infinity]);
	});
});

describe('a visit of several stops', () => {
	const visit = [0, 1, 2, 3].map((n) => stop(n, { stop: 'PICKUP', sameVisit: n > 0, startsAt: at(8, n * 5), leavesAt: at(8, n * 5 + 5) }));
	const away = stop(0, { startsAt: at(9), leavesAt: at(9, 5) });
	const counts = (pixelsPerHour: number) => marksOf([...visit, away], pixelsPerHour).map(({ stops }) => stops.length);

	test('is one mark while there is no room for each', () => {
		expect(counts(100)).toEqual([4, 1]);
		expect(marksOf(visit, 100)[0]).toMatchObject({ key: '0-PICKUP', from: Date.parse(at(8)), to: Date.parse(at(8, 20)) });
	});

	test('is divided when one has zoomed in', () => {
		expect(counts(4 * leastWidth * 3)).toEqual([1, 1, 1, 1, 1]);
	});

	test('takes the width of one stop', () => {
		const busy = (stops: typeof visit) => row(1, 'Ola', stops, { route: route(1, 'Ola', [], { startsAt: at(8), endsAt: at(9) }) });
		expect(hourWidth([busy([...visit, away, away])])).toBe(3 * leastWidth);
	});
});
