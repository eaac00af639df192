// The five outcomes for orders of an import.
import type { Schema } from '$shared/api';
import type { Reason } from '../orders/form';

export const outcomes = ['orderCreated', 'orderUpdated', 'orderMerged', 'draftCreated', 'failedUpdate'] as const;
export type Kind = (typeof outcomes)[number];

export interface Outcome {
	kind: Kind;
	externalId: string;
	/** Absent if nothing was written. */
	orderId?: number;
	draftId?: number;
	reasons: Reason[];
}

/** The service's result for one order, in one shape. */
export function outcomeOf(result: Schema<'ImportResult'>): Outcome {
	if (result.draftCreated) {
		const { externalId, DraftID, reasons } = result.draftCreated;
		return { kind: 'draftCreated', externalId, draftId: DraftID, reasons };
	}
	if (result.failedUpdate) {
		return { kind: 'failedUpdate', externalId: result.failedUpdate.externalId, reasons: result.failedUpdate.reasons };
	}
	const [kind, order] = result.orderCreated
		? (['orderCreated', result.orderCreated] as const)
		: result.orderUpdated
			? (['orderUpdated', result.orderUpdated] as const)
			: (['orderMerged', result.orderMerged] as const);
	return { kind, externalId: order?.externalId ?? '', orderId: order?.OrderID, reasons: [] };
}

/** An order of the file, by its place there. It has no outcome where the import ended before it. */
export interface Placed {
	place: number;
	outcome?: Outcome;
}

/** Numbers results by their position in the file, skipping those in `notDone`. */
export function placed(results: readonly Outcome[], notDone: readonly number[] = []): Placed[] {
	const without = new Set(notDone);
	const left = results.values();
	return Array.from({ length: results.length + without.size }, (_, place) =>
		without.has(place) ? { place } : { place, outcome: left.next().value }
	);
}
