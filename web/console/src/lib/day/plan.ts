// The plan of a day, as the service has it. It is never changed here.
import { api, ask, type Schema } from '$shared/api';

export type Route = Schema<'PlanRoute'>;
export type PlannedStop = Schema<'PlanStop'>;
export type Unplanned = Schema<'UnplannedOrder'>;
export type Plan = Schema<'Plan'>;
export type Exception = Schema<'Exception'>;

export interface DayPlan {
	plans: Plan[];
	routes: Route[];
	unplanned: Unplanned[];
}

/** Reads all of a day's plan. */
export async function readPlan(date: string): Promise<DayPlan> {
	const day: DayPlan = { plans: [], routes: [], unplanned: [] };
	let token = '';
	for (;;) {
		const page = await ask(
			api.GET('/v2/plans/{date}', { params: { path: { date }, query: { token, pageSize: 200 } } })
		);
		day.plans = page.plans;
		day.routes.push(...page.routes);
		day.unplanned.push(...page.unplanned);
		token = page.nextToken;
		if (!page.hasMore) break;
	}
	day.routes.sort((a, b) => a.driverName.localeCompare(b.driverName));
	return day;
}

/** Reads what needs somebody on a day. */
export async function readExceptions(date: string): Promise<Exception[]> {
	const page = await ask(
		api.GET('/v1/exceptions', { params: { query: { state: 'OPEN', date, pageSize: 200 } } })
	);
	return page.items;
}

/** A day without orders takes no slack of less than this to be at risk, in seconds. */
const risky = 600;

export type Mark = 'late' | 'risk' | '';

/** Whether a stop is late or may become so. */
export function markOf(stop: PlannedStop): Mark {
	const at = Date.parse(stop.eta ?? stop.startsAt);
	const latest = Date.parse(stop.latest);
	if (at > latest) return 'late';
	return latest - at < risky * 1000 ? 'risk' : '';
}
