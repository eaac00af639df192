// The view of a day, all of it in the URL.
import { queried } from '../query';

export const views = ['board', 'both', 'map', 'list'] as const;
export type View = (typeof views)[number];

/** How the day is shown. */
export const viewOf = (): View => views.find((view) => view === queried('view')) ?? 'board';

export interface Chosen {
	/** The only order. */
	orderId?: number;
	driverId?: number;
	/** All orders. */
	orderIds: number[];
}

/** The selection: orders, or a driver. */
export function chosen(): Chosen {
	const [, kind, ids = ''] = /^([od])(\d+(?:,\d+)*)$/.exec(queried('sel')) ?? [];
	if (kind === 'd') return { driverId: Number(ids), orderIds: [] };
	const orderIds = kind === 'o' ? ids.split(',').map(Number) : [];
	return { orderIds, ...(orderIds.length === 1 && { orderId: orderIds[0]! }) };
}

const all = ['late', 'risk', 'unplanned', 'exceptions'] as const;
export type Isolated = (typeof all)[number] | '';

/** The filter, if any. */
export const isolated = (): Isolated => all.find((one) => one === queried('only')) ?? '';
