// When a driver works, in weeks.
import { api, ask, type Schema } from '$shared/api';
import { daysAfter } from '$shared/moments';

export type Workday = Schema<'Workday'>;

export const weeksShown = 4;

/** The Monday on or before a day. */
export function mondayOf(day: string): string {
	const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
	return daysAfter(day, -weekday);
}

/** All days of some weeks from a Monday on. */
export const daysFrom = (monday: string): string[] =>
	Array.from({ length: weeksShown * 7 }, (_, index) => daysAfter(monday, index));

export const readWorkdays = async (driverId: number, monday: string): Promise<Map<string, Workday>> => {
	const query = { start_date: monday, end_date: daysAfter(monday, weeksShown * 7 - 1) };
	const schedule = await ask(api.GET('/v1/drivers/{driverId}/workdays', { params: { path: { driverId }, query } }));
	return new Map(schedule.workdays.map((day) => [day.date, day]));
};

/** Sets a driver's hours on a day; without hours the day is off. */
export const setWorkday = (driverId: number, date: string, workday: Workday | undefined): Promise<unknown> =>
	ask(
		api.PUT('/v1/drivers/{driverId}/workdays', {
			params: { path: { driverId } },
			body: { start_date: date, end_date: date, workdays: workday ? [workday] : [] }
		})
	);
