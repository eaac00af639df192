// What a dispatcher is told about the travel times of a day.
import type { Schema } from '$shared/api';
import { t } from '$shared/words.svelte';

type Plan = Pick<Schema<'Plan'>, 'travelFailureCode' | 'guessedLegs'>;

/** Why times of some plans are not those of roads, the worst reason of all plans; undefined is nothing. */
export function travelNote(plans: Plan[]): string | undefined {
	const codes = new Set(plans.map((plan) => plan.travelFailureCode));
	if (codes.has('UNAVAILABLE')) return t('day.computed');
	if (codes.has('NO_DATA_FOR_CLASS')) return t('day.other_class_roads');
	const count = plans.reduce((sum, plan) => sum + plan.guessedLegs, 0);
	return count && codes.has('OUTSIDE_OF_REGIONS') ? t('day.outside_regions', { count }) : undefined;
}
