// Load carriers that go back and forth at a stop.
import type { Schema } from '$shared/api';
import type { Visit } from '../day/visits';
import type { Answered, Waiting } from '../outbox/store';

export type Carrier = Schema<'DriverRoute'>['cargoCarriers'][number];
export type Exchanged = Schema<'ExchangedCargoCarrier'>;

/** As many of a kind as the service takes at once. */
export const most = 10_000;

/** What is said of a kind, from what was typed or tapped. */
export const counted = (value: number): number => Math.min(Math.max(Math.trunc(value) || 0, 0), most);

/** EUR pallet +12 −5 */
export const told = (carriers: Carrier[], lines: Exchanged[]): string =>
	lines
		.map(({ cargoCarrierId, delivered, collected }) =>
			[carriers.find(({ id }) => id === cargoCarrierId)?.name, delivered && `+${delivered}`, collected && `−${collected}`]
				.filter(Boolean)
				.join(' ')
		)
		.join(', ');

/** What was said of load carriers at a visit and has not been taken back: sent or not. */
export function saidOf(visit: Visit, answers: Answered[], waiting: Waiting[]): (Answered | Waiting)[] {
	const ids = new Set(visit.stops.map((stop) => stop.stopId));
	const all = [...answers.filter((answer) => answer.outcome === 'APPLIED'), ...waiting];
	const undone = new Set(all.map((one) => one.undoes));
	return all.filter((one) => one.type === 'EXCHANGE_CARGO_CARRIERS' && ids.has(one.stopId ?? 0) && !undone.has(one.id));
}
