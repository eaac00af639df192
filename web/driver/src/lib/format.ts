// Texts about stops.
import { clock, shortMoment, today } from '$shared/moments';
import { nameOf, t } from '$shared/words.svelte';
import type { Answered, Failure } from './outbox/store';
import type { Stop, Visit } from './day/visits';

/** 09:00–11:00 */
export const between = (stop: Stop, zone: string): string => `${clock(stop.earliest, zone)}–${clock(stop.latest, zone)}`;

/** 09:00, or with its day when that is another one than today. */
export const momentOf = (at: string, zone: string): string =>
	today(zone, new Date(at)) === today(zone) ? clock(at, zone) : shortMoment(at, zone);

/** Storgata 1, 0155 Oslo */
export function addressOf(stop: Stop): string {
	const { address } = stop;
	if (!address) return '';
	const city = [address.postal_code, address.city].filter(Boolean).join(' ');
	return [address.address1, address.address2, city].filter(Boolean).join(', ');
}

export const kindOf = (visit: Pick<Visit, 'kind'>): string =>
	visit.kind === 'PICKUP' ? t('phone.pickup') : t('phone.delivery');

export const statusOf = (visit: Pick<Visit, 'status'>): string => nameOf('phone_status', visit.status);

/** The driver's name of an action. */
export const deedOf = (type: string): string => nameOf('phone_deed', type);

export const failureText = (failure: Failure): string => nameOf('phone_failure', failure);

/** The service's explanation of an action without effect, and what to do now. */
export const whatToDo = (answer: Answered): string =>
	answer.reason ? nameOf('phone_do', answer.reason) : t('phone.went_wrong');

/** A phone number as a link takes it. */
export const callTo = (number: string): string => `tel:${number.replace(/[^+\d]/g, '')}`;

/** 2 × Pallet */
export const amount = (quantity: number): string => `${quantity} ×`;
