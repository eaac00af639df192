// Load carriers that go back and forth at a stop.
import type { Schema } from '$shared/api';
import type { Visit } from '../day/visits';
import type { Answered, Waiting } from '../outbox/store';

export type Carrier = Schema<'DriverRoute'>['cargoCarriers'][number];
export type Exchanged = Schema<'ExchangedCargoCarrier'>;

/** The service's limit per kind. */
export const most = 10_000;

/** The quantity of a kind, from typing or tapping. */
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

/** The load carriers exchanged at a visit and not undone, sent or unsent. */
export function saidOf(visit: Visit, answers: Answered[], waiting: Waiting[]): (Answered | Waiting)[] {
	const ids = new Set(visit.stops.map((stop) => stop.stopId));
	const all = [...answers.filter((answer) => answer.outcome === 'APPLIED'), ...waiting];
	const undone = new Set(all.map((one) => one.undoes));
	return all.filter((one) => one.type === 'EXCHANGE_CARGO_CARRIERS' && ids.has(one.stopId ?? 0) && !undone.has(one.id));
}
