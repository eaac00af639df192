// The board by keys alone: arrows go from stop to stop, Space picks an order up, arrows
// then choose a driver, Enter asks what the move would cost, Escape lets go.
import { lasting } from '$shared/moments';
import { may } from '$shared/session.svelte';
import { t } from '$shared/words.svelte';
import type { Consideration, Day, Target } from './day.svelte';
import type { PlannedStop, Route } from './plan';

export interface BoardKeys {
	/** The order that is picked up, and the driver it would go to. */
	readonly held: number | undefined;
	readonly target: Target | undefined;
	/** What somebody who does not see the board is told. */
	readonly said: string;
	press: (event: KeyboardEvent) => void;
	focused: (id: string) => void;
	tabstop: (id: string) => boolean;
}

const idOf = (stop: PlannedStop): string => `${stop.orderId}-${stop.stop}`;

export function boardKeys(day: () => Day, routes: () => Route[]): BoardKeys {
	let held = $state<number>();
	let target = $state<Target>();
	let said = $state('');
	let last = $state('');

	const all = () => routes().flatMap((route) => route.stops.map(idOf));
	const focus = (stop: PlannedStop | undefined) => {
		if (stop) document.querySelector<HTMLElement>(`[data-stop="${idOf(stop)}"]`)?.focus();
	};

	/** Where a stop is, by row and place in it. */
	function find(id: string): [number, number] | undefined {
		for (const [row, route] of routes().entries()) {
			const place = route.stops.findIndex((stop) => idOf(stop) === id);
			if (place >= 0) return [row, place];
		}
		return undefined;
	}

	function go(key: string, [row, place]: [number, number]): void {
		const here = routes()[row]!.stops[place]!;
		if (key === 'ArrowLeft') focus(routes()[row]!.stops[place - 1]);
		if (key === 'ArrowRight') focus(routes()[row]!.stops[place + 1]);
		if (key === 'Home') focus(routes()[row]!.stops[0]);
		if (key === 'End') focus(routes()[row]!.stops.at(-1));
		if (key === 'ArrowUp' || key === 'ArrowDown') {
			const step = key === 'ArrowUp' ? -1 : 1;
			let next = row + step;
			while (routes()[next] && routes()[next]!.stops.length === 0) next += step;
			focus(nearest(routes()[next]?.stops ?? [], here));
		}
	}

	function pickUp(row: number, place: number): void {
		const stop = routes()[row]!.stops[place]!;
		held = stop.orderId;
		target = { driverId: routes()[row]!.driverId, name: routes()[row]!.driverName };
		said = t('day.picked_up', { number: stop.externalId });
	}

	/** Aims at the next driver of the same plan, and says what the service thinks of it. */
	async function aim(step: number): Promise<void> {
		const place = day().placeOf(held!);
		if (!place) return;
		const rows = routes().filter((route) => route.departmentId === place.departmentId);
		const now = rows.findIndex((route) => route.driverId === target?.driverId);
		const next = rows[Math.min(Math.max(now + step, 0), rows.length - 1)];
		if (!next) return;
		target = { driverId: next.driverId, name: next.driverName };
		said = next.driverName;
	}

	function letGo(words: string): void {
		held = undefined;
		target = undefined;
		said = words;
	}

	async function drop(): Promise<void> {
		const place = day().placeOf(held!);
		const to = target;
		letGo('');
		if (!place || !to || to.driverId === place.driverId) return;
		said = verdict(await day().consider(place, to));
	}

	function press(event: KeyboardEvent): void {
		const id = (event.target as HTMLElement).dataset['stop'];
		const at = id ? find(id) : undefined;
		if (!at) return;
		const arrow = event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End';
		if (held === undefined) {
			if (arrow) go(event.key, at);
			else if (event.key === ' ' && may('admin', 'dispatcher')) pickUp(...at);
			else return;
		} else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
			void aim(event.key === 'ArrowUp' ? -1 : 1);
		} else if (event.key === 'Enter') {
			void drop();
		} else if (event.key === 'Escape') {
			letGo(t('day.let_go'));
		} else if (!arrow && event.key !== ' ') {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}

	return {
		get held() {
			return held;
		},
		get target() {
			return target;
		},
		get said() {
			return said;
		},
		press,
		focused: (id) => (last = id),
		tabstop: (id) => (all().includes(last) ? last === id : all()[0] === id)
	};
}

/** Of some stops the one that is nearest in time. */
function nearest(stops: PlannedStop[], to: PlannedStop): PlannedStop | undefined {
	const away = (stop: PlannedStop) => Math.abs(Date.parse(stop.startsAt) - Date.parse(to.startsAt));
	return stops.reduce<PlannedStop | undefined>((best, stop) => (best && away(best) <= away(stop) ? best : stop), undefined);
}

function verdict(consideration: Consideration): string {
	const { outcome, problem, to } = consideration;
	if (problem) return problem.message;
	if (!outcome) return '';
	const minutes = lasting(Math.abs(outcome.cost.drivingSeconds));
	const breaks = outcome.breaks.length ? t('day.breaks', { count: outcome.breaks.length }) : t('day.fits');
	return `${to.name}: ${outcome.cost.drivingSeconds < 0 ? '−' : '+'}${minutes}, ${breaks}`;
}
