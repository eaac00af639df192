// What rows are grouped and sorted by beside their own content: departments, and the zones of an
// organization, which are read when they are first asked for.
import { Loaded } from '$shared/loaded.svelte';
import { t } from '$shared/words.svelte';
import { readZones, type Zone } from '../zones/zones';
import { zoneOf, type Arrangement, type Facts } from './arrange';
import type { Day } from './day.svelte';

const zones = new Loaded<Zone[]>();
let asked: Promise<void> | undefined;

/** The zones of the organization, as far as they are read. */
export function zonesNow(): Zone[] {
	asked ??= Promise.resolve().then(() => zones.load(readZones));
	return zones.data ?? [];
}

export function factsOf(day: Day, { sort, group }: Arrangement): Facts {
	const plans = day.plan.data?.plans ?? [];
	const known = sort === 'zone' || group === 'zone' ? zonesNow() : [];
	return {
		departments: new Map(plans.map((plan) => [plan.departmentId, plan.departmentName ?? t('day.no_department')])),
		zoneOf: (row) => zoneOf(row, known)
	};
}
