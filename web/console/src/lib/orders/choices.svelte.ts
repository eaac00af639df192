// What filters can be chosen from, read once for as long as the console is open.
import { api, ask } from '$shared/api';

export interface Choice {
	id: number;
	name: string;
}

const kept = $state<{ drivers: Choice[]; types: Choice[] }>({ drivers: [], types: [] });
let asked = false;

/** The drivers and order types of the organization; none until they are there. */
export function choices(): { drivers: Choice[]; types: Choice[] } {
	if (!asked) {
		asked = true;
		void read();
	}
	return kept;
}

async function read(): Promise<void> {
	const limit = 200;
	const [drivers, types] = await Promise.all([
		ask(api.GET('/v1/drivers', { params: { query: { limit } } })),
		ask(api.GET('/v1/order-types', { params: { query: { limit } } }))
	]);
	kept.drivers = drivers.items.map(({ id, name }) => ({ id, name }));
	kept.types = types.items.map(({ id, name }) => ({ id, name }));
}
