// The view of a day, all of it in the URL.
import { queried } from '../query';

export const views = ['board', 'both', 'map', 'list'] as const;
export type View = (typeof views)[number];

/** How the day is shown. */
export const viewOf = (): View => views.find((view) => view === queried('view')) ?? 'board';

export interface Chosen {
	orderId?: number;
	driverId?: number;
}

/** The selection: an order or a driver. */
export function chosen(): Chosen {
	const [, kind, id] = /^([od])(\d+)$/.exec(queried('sel')) ?? [];
	if (kind === 'o') return { orderId: Number(id) };
	if (kind === 'd') return { driverId: Number(id) };
	return {};
}

const all = ['late', 'risk', 'unplanned', 'exceptions'] as const;
export type Isolated = (typeof all)[number] | '';

/** The filter, if any. */
export const isolated = (): Isolated => all.find((one) => one === queried('only')) ?? '';
