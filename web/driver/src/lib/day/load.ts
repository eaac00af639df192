// The expected load of the vehicle, and what has been found of it.
import { isOver, type Door, type Stop, type Visit } from './visits';

export type Product = Stop['products'][number];

/** Goods that are picked up at a stop. */
export interface Goods {
	stop: Stop;
	product: Product;
}

/** How goods were checked, by product: by hand, by code, or missing with a reason. */
export interface Found {
	ticked: number[];
	scanned: { productId?: number; stopId: number; code: string }[];
	missing: Record<number, string>;
	/** The stops whose goods have been checked. */
	checked: number[];
}

export const nothingFound = (): Found => ({ ticked: [], scanned: [], missing: {}, checked: [] });

/** Where the goods of an order go: the door's number in the day, and its stop. */
export interface Target {
	number: number;
	stop: Stop;
}

/** The deliveries of a day by order. */
export function targetsOf(doors: Door[]): Map<number, Target> {
	const all = doors.flatMap(({ number, visits }) =>
		visits.flatMap((visit) => visit.stops.map((stop) => ({ number, stop })))
	);
	return new Map(all.filter(({ stop }) => stop.stop === 'DELIVERY').map((target) => [target.stop.orderId, target]));
}

/** The stops of a pickup in the sequence of loading: what is delivered last comes first. */
export const inLoadingOrder = (stops: Stop[], targets: Map<number, Target>): Stop[] =>
	[...stops].sort((a, b) => (targets.get(b.orderId)?.stop.sequence ?? 0) - (targets.get(a.orderId)?.stop.sequence ?? 0));

/** All goods of stops, containers before their contents. */
export function goodsOf(stops: Stop[]): Goods[] {
	return stops.flatMap((stop) => stop.products.map((product) => ({ stop, product })));
}

/** The locations of a day with goods still to be picked up. */
export const toLoad = (visits: Visit[]): Visit[] =>
	visits.filter((visit) => visit.kind === 'PICKUP' && !isOver(visit.status) && visit.stops.some((stop) => stop.products.length));

/** Goods with all that they hold. */
export function withInside(goods: Goods[], product: Product): Product[] {
	const inside = goods.filter((one) => one.product.parentId === product.id);
	return [product, ...inside.flatMap((one) => withInside(goods, one.product))];
}

/**
 * Records refused goods. A container that is refused as a whole includes all its contents, and
 * accepting it reverts that.
 */
export function refusing(refused: Record<number, number>, goods: Goods[], product: Product, count: number): Record<number, number> {
	const now = Math.min(Math.max(count, 0), product.quantity);
	const before = refused[product.id] ?? 0;
	const inside = withInside(goods, product).slice(1);
	const all = now >= product.quantity ? inside.map(({ id, quantity }) => [id, quantity] as const)
		: before >= product.quantity ? inside.map(({ id }) => [id, 0] as const) : [];
	return { ...refused, ...Object.fromEntries(all), [product.id]: now };
}

/** Whether goods are in something that was refused altogether. */
export function isInRefused(refused: Record<number, number>, goods: Goods[], product: Product): boolean {
	const holder = goods.find((one) => one.product.id === product.parentId)?.product;
	return Boolean(holder && ((refused[holder.id] ?? 0) >= holder.quantity || isInRefused(refused, goods, holder)));
}

/** How many others hold goods, one within the other. */
export function depthOf(goods: Goods[], product: Product): number {
	const holder = goods.find((one) => one.product.id === product.parentId);
	return holder ? 1 + depthOf(goods, holder.product) : 0;
}

/** Notes goods as being there, or not, with all that they hold. */
export function ticked(found: Found, goods: Goods[], product: Product, isThere: boolean): Found {
	const ids = withInside(goods, product).map(({ id }) => id);
	const others = found.ticked.filter((id) => !ids.includes(id));
	return { ...found, ticked: isThere ? [...others, ...ids] : others };
}

/** Notes why goods are missing, with all that they hold. */
export function lacking(found: Found, goods: Goods[], product: Product, why: string): Found {
	const inside = withInside(goods, product).map(({ id }) => [id, why] as const);
	return { ...found, missing: { ...found.missing, ...Object.fromEntries(inside) } };
}

/** Records a code that was read, with all contents of its goods. Undefined if no goods have it. */
export function scanned(found: Found, goods: Goods[], code: string): Found | undefined {
	const one = carrying(goods, code, (product) => found.scanned.some((scan) => scan.productId === product.id));
	if (!one) return undefined;
	if (found.scanned.some((scan) => scan.productId === one.product.id)) return found;
	const { ticked: all } = ticked(found, goods, one.product, true);
	return {
		...found,
		ticked: all.filter((id) => id !== one.product.id),
		scanned: [...found.scanned, { code, productId: one.product.id, stopId: one.stop.stopId }]
	};
}

const plain = (code: string | null): string => (code ?? '').trim().toUpperCase();

/** The goods with a code; if several have it, those not read before. */
export function carrying(goods: Goods[], code: string, wasRead: (product: Product) => boolean = () => false): Goods | undefined {
	const wanted = plain(code);
	if (!wanted) return undefined;
	const all = goods.filter(({ product }) => plain(product.barcode) === wanted || plain(product.externalId) === wanted);
	return all.find(({ product }) => !wasRead(product)) ?? all[0];
}

export const isFound = (found: Found, product: Product): boolean =>
	found.ticked.includes(product.id) || found.scanned.some((scan) => scan.productId === product.id);
