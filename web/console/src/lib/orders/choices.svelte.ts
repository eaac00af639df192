// The choices of filters, read once per session.
import { api, ask } from '$shared/api';

export interface Choice {
	id: number;
	name: string;
}

const kept = $state<{ drivers: Choice[]; types: Choice[]; groups: Choice[] }>({ drivers: [], types: [], groups: [] });
let asked = false;

/** The drivers, order types and groups of the organization; none until they are loaded. */
export function choices(): { drivers: Choice[]; types: Choice[]; groups: Choice[] } {
	if (!asked) {
		asked = true;
		void read();
	}
	return kept;
}

async function read(): Promise<void> {
	const limit = 200;
	const [drivers, types, groups] = await Promise.all([
		ask(api.GET('/v1/drivers', { params: { query: { limit } } })),
		ask(api.GET('/v1/order-types', { params: { query: { limit } } })),
		ask(api.GET('/v1/groups', { params: { query: { limit } } }))
	]);
	kept.drivers = drivers.items.map(({ id, name }) => ({ id, name }));
	kept.types = types.items.map(({ id, name }) => ({ id, name }));
	kept.groups = groups.items.map(({ id, name }) => ({ id, name }));
}
