// The plan of a day, as the service returned it. It is never changed here.
import { api, ask, type Schema } from '$shared/api';

export type Route = Schema<'PlanRoute'>;
export type PlannedStop = Schema<'PlanStop'>;
export type PlannedBreak = Route['breaks'][number];
export type Unplanned = Schema<'UnplannedOrder'>;
export type Plan = Schema<'Plan'>;
export type Exception = Schema<'Exception'>;
export type Figures = Schema<'FiguresOfDay'>;
export type Worker = Schema<'DriverOfDay'>;

export interface DayPlan {
	plans: Plan[];
	routes: Route[];
	unplanned: Unplanned[];
}

const pageSize = 200;

/** Reads all of a day's plan. */
export async function readPlan(date: string): Promise<DayPlan> {
	const day: DayPlan = { plans: [], routes: [], unplanned: [] };
	let token = '';
	for (;;) {
		const page = await ask(api.GET('/v2/plans/{date}', { params: { path: { date }, query: { token, pageSize } } }));
		day.plans = page.plans;
		day.routes.push(...page.routes);
		day.unplanned.push(...page.unplanned);
		token = page.nextToken;
		if (!page.hasMore) break;
	}
	return day;
}

/** Reads the plans of a day in numbers. */
export async function readPlans(date: string): Promise<Plan[]> {
	const page = await ask(api.GET('/v2/plans/{date}', { params: { path: { date }, query: { pageSize: 1 } } }));
	return page.plans;
}

/** Reads the versions of a day's plans, to detect changes. */
export const readVersions = async (date: string): Promise<string> => versionsOf(await readPlans(date));

export const versionsOf = (plans: Plan[]): string =>
	plans.map((plan) => `${plan.departmentId ?? 0}:${plan.version}`).join(' ');

/** Reads the drivers who work on a day. */
export async function readWorkers(date: string): Promise<Worker[]> {
	const all: Worker[] = [];
	let token = '';
	for (;;) {
		const page = await ask(
			api.GET('/v2/plans/{date}/drivers', { params: { path: { date }, query: { token, pageSize } } })
		);
		all.push(...page.items);
		token = page.nextToken;
		if (!page.hasMore) return all;
	}
}

/** Reads the exceptions of a day. */
export async function readExceptions(date: string): Promise<Exception[]> {
	const page = await ask(api.GET('/v1/exceptions', { params: { query: { state: 'OPEN', date, pageSize } } }));
	return page.items;
}

/** Reads the key figures of a day, of one department if that is chosen. */
export const readFigures = (date: string, department: string, signal: AbortSignal): Promise<Figures> => {
	const departmentId = department ? Number(department) : undefined;
	return ask(api.GET('/v2/plans/{date}/figures', { params: { path: { date }, query: { departmentId } }, signal }));
};

/** A stop with less slack than this may become late, in milliseconds. */
const risky = 600_000;

export type Mark = 'late' | 'risk' | '';

/** Whether a stop is late, or was, or may become so. */
export function markOf(stop: PlannedStop): Mark {
	const left = Date.parse(stop.latest) - Date.parse(stop.arrivedAt ?? stop.eta);
	if (stop.endedAt) return left < 0 ? 'late' : '';
	if (left < 0) return 'late';
	return left < risky ? 'risk' : '';
}

/** What tells a stop from all others of a day. */
export const stopKey = (stop: PlannedStop): string => `${stop.orderId}-${stop.stop}`;
