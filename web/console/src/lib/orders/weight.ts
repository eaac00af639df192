// The weight of orders, by the service's rule: a line's own weight counts, or
// else that of its contents.
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
