// A record of a collection: reads, creates and changes it with the contract's
// operations.
import { api, ask, askTagged, Problem, type Tagged } from '$shared/api';
import { shapes, type CollectionName } from '$shared/forms.gen';
import { readPage } from '../forms/named.svelte';

export type Thing = Record<string, unknown>;

export interface Things {
	rows: Thing[];
	total: number;
	page: number;
	pages: number;
}

export const pageSize = 50;

/** Reads a page of a collection. */
export async function readThings(collection: CollectionName, page: number, text: string, limit = pageSize): Promise<Things> {
	const shape = shapes[collection];
	const query = shape.pages ? { page, limit, ...(shape.searches && text && { query: text }) } : {};
	const got = await readPage(collection, query);
	const rows = got.items ?? got.definitions ?? [];
	return { rows, total: got.total ?? rows.length, page, pages: got.pages ?? 1 };
}

/** Reads a record with its tag, which detects later changes by others. */
export async function readThing(collection: CollectionName, id: number): Promise<Tagged<Thing>> {
	const shape = shapes[collection];
	if (!shape.readable) {
		const all = await readThings(collection, 1, '');
		const thing = all.rows.find((row) => row[shape.id] === id);
		if (!thing) throw new Problem(404, '');
		return { body: thing, tag: '' };
	}
	const item = shape.item as '/v1/customers/{id}';
	const got = await askTagged(api.GET(item, { params: { path: { id } } }));
	return { body: flat(got.body), tag: got.tag };
}

export async function makeThing(collection: CollectionName, body: Thing): Promise<Thing> {
	const list = shapes[collection].list as '/v1/customers';
	return await ask(api.POST(list, { body: body as never }));
}

/** Changes a record; rejected if it has changed since the tag. */
export async function changeThing(collection: CollectionName, id: number, body: Thing, tag: string): Promise<void> {
	const item = shapes[collection].item as '/v1/customers/{id}';
	const header = tag ? { 'If-Match': tag } : {};
	await ask(api.PUT(item, { params: { path: { id }, header }, body: body as never }));
}

/**
 * Vehicles return the effective limits of their type in place of their own, and the type itself.
 */
function flat(thing: Thing): Thing {
	const own = thing['own_limits'] as Thing | undefined;
	const type = thing['vehicle_type'] as Thing | undefined;
	return { ...thing, ...own, ...(type && { vehicle_type_id: type['id'] }) };
}
