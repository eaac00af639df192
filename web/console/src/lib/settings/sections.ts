// The parts of the settings.
import { may, type Role } from '$shared/session.svelte';
import type { Words } from '$shared/words.gen';

interface Section {
	path: string;
	title: keyof Words & `settings.${string}`;
	roles: Role[];
}

/** Pages for whoever runs the service, which nobody needs to plan a day. */
interface ServicePage extends Section {
	title: Section['title'] & `settings.${'carriers' | 'providers' | 'map' | 'flags'}`;
	help: keyof Words & `service.${string}`;
}

const sections: Section[] = [
	{ path: 'organization', title: 'settings.organization', roles: ['admin', 'dispatcher', 'support'] },
	{ path: 'people', title: 'settings.people', roles: ['admin'] },
	{ path: 'roles', title: 'settings.roles', roles: ['admin'] },
	{ path: 'security', title: 'settings.security', roles: ['admin'] },
	{ path: 'keys', title: 'settings.keys', roles: ['admin'] },
	{ path: 'webhooks', title: 'settings.webhooks', roles: ['admin'] },
	{ path: 'rules', title: 'settings.rules', roles: ['admin', 'dispatcher', 'support'] },
	{ path: 'alerts', title: 'settings.alerts', roles: ['admin', 'dispatcher'] },
	{ path: 'messaging', title: 'settings.messaging', roles: ['admin'] },
	{ path: 'privacy', title: 'settings.privacy', roles: ['admin'] },
	{ path: 'service', title: 'settings.service', roles: ['admin'] }
];

export const servicePages: ServicePage[] = [
	{ path: 'carriers', title: 'settings.carriers', help: 'service.carriers', roles: ['admin'] },
	{ path: 'providers', title: 'settings.providers', help: 'service.providers', roles: ['admin'] },
	{ path: 'map', title: 'settings.map', help: 'service.map', roles: ['admin', 'dispatcher', 'support'] },
	{ path: 'flags', title: 'settings.flags', help: 'service.flags', roles: ['admin'] }
];

/** The sections that the user may see. */
export const usableSections = (): Section[] => sections.filter(({ roles }) => may(...roles));
