// What orders weigh, by the rule of the service: what a line says of itself counts, and
// where it says nothing, what it holds.
import type { Schema } from '$shared/api';

type Product = Schema<'OrderProduct'>;

/** The weight of all goods of an order in kilograms. */
export function weightOf(products: Product[]): number {
	const of = (product: Product): number => {
		const each = product.weight || products.filter((one) => one.parent_id === product.id).reduce((sum, one) => sum + of(one), 0);
		return each * (product.quantity ?? 1);
	};
	const top = products.filter((product) => product.parent_id === null || product.parent_id === undefined);
	return Math.round(top.reduce((sum, product) => sum + of(product), 0) * 1000) / 1000;
}
