// What is to be in the vehicle, and what has been found of it.
import { isOver, type Stop, type Visit } from './visits';

export type Product = Stop['products'][number];

/** Goods that are picked up at a stop. */
export interface Goods {
	stop: Stop;
	product: Product;
}

/** What was found of the goods, by their products: by hand, by their codes, or not at all and why. */
export interface Found {
	ticked: number[];
	scanned: { productId?: number; stopId: number; code: string }[];
	missing: Record<number, string>;
}

export const nothingFound = (): Found => ({ ticked: [], scanned: [], missing: {} });

/** Goods that people carry: what holds others is not counted beside them. */
export function goodsOf(stops: Stop[]): Goods[] {
	return stops.flatMap((stop) => stop.products.map((product) => ({ stop, product })));
}

/** The goods of a day that are still to be picked up. */
export const toLoad = (visits: Visit[]): Goods[] =>
	goodsOf(visits.filter((visit) => visit.kind === 'PICKUP' && !isOver(visit.status)).flatMap((visit) => visit.stops));

const plain = (code: string | null): string => (code ?? '').trim().toUpperCase();

/** The goods that a code is on. */
export function carrying(goods: Goods[], code: string): Goods | undefined {
	const wanted = plain(code);
	if (!wanted) return undefined;
	return goods.find(({ product }) => plain(product.barcode) === wanted || plain(product.externalId) === wanted);
}

export const isFound = (found: Found, product: Product): boolean =>
	found.ticked.includes(product.id) || found.scanned.some((scan) => scan.productId === product.id);
