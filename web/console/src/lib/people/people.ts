// The users of the organization and their permissions.
import { api, ask, askTagged, type Schema, type Tagged } from '$shared/api';

export type User = Schema<'User'>;
export type UserRole = Schema<'Role'>;

export const pageSize = 50;

export const readUsers = (page: number, state: string, limit = pageSize) =>
	ask(
		api.GET('/v1/users', {
			params: { query: { page, limit, ...(state && { state: state as Schema<'UserState'> }) } }
		})
	);

export const readUser = (id: number): Promise<Tagged<User>> =>
	askTagged(api.GET('/v1/users/{id}', { params: { path: { id } } }));

export const readRoles = async (): Promise<UserRole[]> => (await ask(api.GET('/v1/roles'))).items;

/** An idempotency key. */
const once = () => ({ 'Idempotency-Key': crypto.randomUUID() });

export const makeUser = (body: Schema<'CreateUserRequest'>, header = once()): Promise<User> =>
	ask(api.POST('/v1/users', { params: { header }, body }));

export const changeUser = (user: Tagged<User>, body: Schema<'UpdateUserRequest'>): Promise<User> =>
	ask(
		api.PUT('/v1/users/{id}', { params: { path: { id: user.body.id }, header: { 'If-Match': user.tag } }, body })
	);

export const makeRole = (body: Schema<'CreateRoleRequest'>, header = once()): Promise<UserRole> =>
	ask(api.POST('/v1/roles', { params: { header }, body }));

export const changeRole = (role: Tagged<UserRole>, body: Schema<'UpdateRoleRequest'>): Promise<UserRole> =>
	ask(
		api.PUT('/v1/roles/{id}', { params: { path: { id: role.body.id }, header: { 'If-Match': role.tag } }, body })
	);

export const readRole = (id: number): Promise<Tagged<UserRole>> =>
	askTagged(api.GET('/v1/roles/{id}', { params: { path: { id } } }));
