// What the organization's rules would change in an order.
import { api, ask, type Schema } from '$shared/api';

export type Trigger = Schema<'TransformTrigger'>;
export type Outcome = Schema<'ApplyTransformationsResponse'>;

export const triggers: Trigger[] = [
	'TRANSFORM_TRIGGER_ORDER_UPDATED',
	'TRANSFORM_TRIGGER_ORDER_CREATED',
	'TRANSFORM_TRIGGER_ORDER_MERGED',
	'TRANSFORM_TRIGGER_ORDER_PRODUCTS_CHANGED'
];

/**
 * Runs the rules of a trigger on an order; a dry run writes nothing, and returns the order after
 * each rule.
 */
export const runRules = (orderId: number, trigger: Trigger, trial: boolean): Promise<Outcome> =>
	ask(
		api.POST('/v2/orders/{orderId}/apply-transformations', {
			params: { path: { orderId } },
			body: { trigger, dryRun: trial, includePreview: true }
		})
	);

export interface Difference {
	field: string;
	was: string;
	now: string;
}

/** Where two texts of JSON differ, field by field. */
export function differences(before = '{}', after = '{}'): Difference[] {
	const was = leaves(JSON.parse(before) as unknown);
	const now = leaves(JSON.parse(after) as unknown);
	const fields = [...new Set([...was.keys(), ...now.keys()])];
	return fields
		.filter((field) => was.get(field) !== now.get(field))
		.map((field) => ({ field, was: was.get(field) ?? '–', now: now.get(field) ?? '–' }));
}

/** The values that something holds, by the paths to them. */
function leaves(value: unknown, path = '', into = new Map<string, string>()): Map<string, string> {
	if (value === null || typeof value !== 'object') into.set(path, typeof value === 'string' ? value : JSON.stringify(value));
	else {
		for (const [key, inner] of Object.entries(value)) {
			leaves(inner, Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key, into);
		}
	}
	return into;
}
