// What is shown of a day, all of it in the address.
import { queried } from '../query';

export type View = 'board' | 'list' | 'map';

export const viewOf = (): View => {
	const view = queried('view');
	return view === 'list' || view === 'map' ? view : 'board';
};

/** What is chosen: an order or a driver. */
export function chosen(): { orderId?: number; driverId?: number } {
	const [, kind, id] = /^([od])(\d+)$/.exec(queried('sel')) ?? [];
	if (kind === 'o') return { orderId: Number(id) };
	if (kind === 'd') return { driverId: Number(id) };
	return {};
}

export type Isolated = 'late' | 'risk' | 'unplanned' | 'exceptions' | '';

export const isolated = (): Isolated => {
	const only = queried('only');
	return only === 'late' || only === 'risk' || only === 'unplanned' || only === 'exceptions' ? only : '';
};
