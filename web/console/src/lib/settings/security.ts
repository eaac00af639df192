// How users sign in: who has a second factor, and how long sessions last.
import { api, ask, type Schema } from '$shared/api';

export type User = Schema<'User'>;

/**
 * The service's limits for everybody, in hours; a test of domain/account compares them with the
 * service.
 */
export const bounds = {
	BrowserIdle: 1,
	BrowserLifetime: 24,
	DeviceIdle: 720,
	DeviceLifetime: 4320,
	TokenLifetime: 8760,
	InvitationLifetime: 72
} as const;

const perPage = 200;
const mostPages = 10;

/** All users of the organization who can sign in. */
export async function readActive(): Promise<User[]> {
	const people: User[] = [];
	for (let page = 1; page <= mostPages; page++) {
		const got = await ask(api.GET('/v1/users', { params: { query: { page, limit: perPage } } }));
		people.push(...got.items.filter((user) => user.is_active));
		if (page >= got.pages) break;
	}
	return people;
}

/** Whether a user needs more than a passphrase to sign in, or has a passkey instead. */
export const isSecured = (user: User): boolean => user.has_totp || user.passkeys > 0;
