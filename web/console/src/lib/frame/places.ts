// The pages that the rail leads to.
import { may, person, type Role, zone } from '$shared/session.svelte';
import { today } from '$shared/moments';
import type { IconName } from '$shared/ui/Icon.svelte';
import type { Words } from '$shared/words.gen';
import { link } from '../links';

export interface Place {
	path: string;
	name: keyof Words & `place.${string}`;
	icon: IconName;
	/** The key that leads there after g. */
	key: string;
	roles: Role[];
}

const office: Role[] = ['admin', 'dispatcher', 'support'];

export const places: Place[] = [
	{ path: 'day', name: 'place.day', icon: 'day', key: 'd', roles: office },
	{ path: 'orders', name: 'place.orders', icon: 'orders', key: 'o', roles: office },
	{ path: 'freights', name: 'place.freights', icon: 'truck', key: 'f', roles: office },
	{ path: 'drafts', name: 'place.drafts', icon: 'drafts', key: 'r', roles: office },
	{ path: 'places', name: 'place.places', icon: 'pin', key: 'p', roles: office },
	{ path: 'recurring', name: 'place.recurring', icon: 'recurring', key: 'e', roles: office },
	{ path: 'exports', name: 'place.exports', icon: 'exports', key: 'x', roles: ['admin', 'dispatcher'] },
	{ path: 'messages', name: 'place.messages', icon: 'messages', key: 'm', roles: office },
	{ path: 'drivers', name: 'place.drivers', icon: 'drivers', key: 'v', roles: office },
	{ path: 'load-carriers', name: 'place.load_carriers', icon: 'pallet', key: 'l', roles: office },
	{ path: 'data', name: 'place.data', icon: 'load', key: 'a', roles: office },
	{ path: 'activity', name: 'place.activity', icon: 'activity', key: 'y', roles: ['admin', 'support'] },
	{ path: 'settings', name: 'place.settings', icon: 'settings', key: 's', roles: office }
];

/** The navigation entries that the user needs. */
export const usable = (): Place[] => places.filter((place) => may(...place.roles));

/** Where a place is; the day is that of today. */
export const addressOf = (place: Place): string =>
	link(place.path === 'day' ? `day/${today(zone())}` : place.path);

/** The user's start page. */
export function home(): string {
	const roles = person().roles;
	const first = roles.includes('dispatcher') ? 'day' : roles.includes('support') ? 'messages' : 'settings';
	const place = usable().find((one) => one.path === first) ?? usable()[0];
	return place ? addressOf(place) : link('account');
}
