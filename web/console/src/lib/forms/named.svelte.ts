// The choices of fields, such as the vehicles of the organization.
import { api, ask } from '$shared/api';
import { shapes, type CollectionName } from '$shared/forms.gen';
import { nameOf } from '$shared/words.svelte';

export interface Choice {
	id: string;
	name: string;
	isActive: boolean;
}

type Thing = Record<string, unknown>;

interface Page {
	items?: Thing[];
	definitions?: Thing[];
	total?: number;
	pages?: number;
}

/** A record of a collection, in the words by which people know it. */
export function labelOf(thing: Thing): string {
	if (typeof thing['event'] === 'string') {
		return [thing['event'], thing['channel'], thing['receiver']].map((code) => nameOf('choice', String(code))).join(' · ');
	}
	const type = thing['vehicle_type'] as Thing | undefined;
	const words = [thing['name'], thing['business_name'], thing['registration'], thing['title'], thing['registration'] && type?.['name']];
	return words.filter((word) => typeof word === 'string' && word !== '').join(' · ');
}

/** Reads a page of any collection. */
export async function readPage(collection: CollectionName, query: Record<string, string | number>): Promise<Page> {
	// The contract's types name each path; here it comes from the contract
	// itself.
	const { list: all, search } = shapes[collection];
	const list = ((query['query'] && search) || all) as '/v1/customers';
	const answer = api.GET(list, { params: { query } });
	return await ask(answer);
}

const perPage = 200;
const mostPages = 10;

/** Reads all choices; for searchable collections, those that match a text. */
export const readChoices = (collection: CollectionName, text = ''): Promise<Choice[]> =>
	readSome(collection, text, shapes[collection].searches);

async function readSome(collection: CollectionName, text: string, searches: boolean): Promise<Choice[]> {
	const shape = shapes[collection];
	const all: Choice[] = [];
	for (let page = 1; ; page++) {
		const search = { limit: 50, ...(text && { query: text }) };
		const query: Record<string, string | number> = searches ? search : { limit: perPage, page };
		const got = await readPage(collection, query);
		for (const thing of got.items ?? []) {
			all.push({ id: String(thing[shape.id]), name: labelOf(thing), isActive: thing['is_active'] !== false });
		}
		if (searches || page >= (got.pages ?? 1) || page === mostPages) return all;
	}
}

/** Reads the choice with an id, also one that is not in use any more. */
export async function readChoice(collection: CollectionName, id: string): Promise<Choice> {
	const item = shapes[collection].item as '/v1/locations/{id}';
	const thing: Thing = await ask(api.GET(item, { params: { path: { id: Number(id) } } }));
	return { id, name: labelOf(thing), isActive: thing['is_active'] !== false };
}

const kept = $state<Partial<Record<CollectionName, Choice[]>>>({});
const asked = new Set<CollectionName>();

/** All records of a collection, read once per session; nothing until they are loaded. */
export function choicesOf(collection: CollectionName): Choice[] {
	if (!asked.has(collection)) {
		asked.add(collection);
		// Customers are searched by another operation, so that their list can be read.
		readSome(collection, '', shapes[collection].searches && !shapes[collection].search).then(
			(choices) => (kept[collection] = choices),
			() => asked.delete(collection)
		);
	}
	return kept[collection] ?? [];
}

/** Reads a collection again after a change. */
export function forget(collection: CollectionName): void {
	asked.delete(collection);
	delete kept[collection];
}

/** The name of a record by its id, or the id until it is known. */
export function nameOfChoice(collection: CollectionName, id: unknown): string {
	if (id === null || id === undefined || id === '') return '';
	return choicesOf(collection).find((choice) => choice.id === String(id))?.name ?? String(id);
}
