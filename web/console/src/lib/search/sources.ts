// The sources of a search, each described by the contract.
import { api, ask, Problem } from '$shared/api';
import { shapes, type CollectionName } from '$shared/forms.gen';
import { may, type Role } from '$shared/session.svelte';
import { nameOf, t } from '$shared/words.svelte';
import { readChoices } from '../forms/named.svelte';
import { barcodeLink, findAtom } from '../barcode/barcode';
import { draftLink, driverLink, link } from '../links';
import { findOrders, type FoundOrders } from './orders';

/** Something that was found. */
export interface Found {
	name: string;
	detail: string;
	href: string;
}

export interface Source {
	title: string;
	find: (text: string) => Promise<Found[]>;
	/** Where all that match are, when more match than are shown. */
	all?: (text: string) => string;
}

const most = 10;
const office: Role[] = ['admin', 'dispatcher', 'support'];

/** The sources that the user may search, most frequent first. */
export function sources(): Source[] {
	const all: (Source & { roles: Role[] })[] = [
		{ title: t('place.orders'), roles: office, find: orders, all: (text) => `${link('orders')}?q=${encodeURIComponent(text)}` },
		{ title: t('search.barcodes'), roles: office, find: barcodes },
		{ title: t('place.drafts'), roles: office, find: drafts },
		{ title: t('place.drivers'), roles: office, find: drivers },
		{ title: t('place.recurring'), roles: office, find: templates },
		{ title: t('data.customers'), roles: shapes.customers.readers, find: among('customers') },
		{ title: t('data.locations'), roles: shapes.locations.readers, find: among('locations') },
		{ title: t('data.vehicles'), roles: shapes.vehicles.readers, find: among('vehicles') },
		{ title: t('data.products'), roles: shapes.products.readers, find: among('products') }
	];
	return all.filter(({ roles }) => may(...roles));
}

const has = (text: string, ...words: (string | null | undefined)[]): boolean =>
	words.some((word) => word?.toLowerCase().includes(text.toLowerCase()));

let asked: { text: string; answer: Promise<FoundOrders> } | undefined;

/** Orders and barcodes are found by one question. */
function found(text: string): Promise<FoundOrders> {
	if (asked?.text !== text) {
		const question = { text, answer: findOrders(text, most) };
		asked = question;
		void question.answer.catch(() => {}).finally(() => asked === question && (asked = undefined));
	}
	return asked.answer;
}

const orders = async (text: string): Promise<Found[]> => (await found(text)).orders;

/** The goods with exactly this barcode. If several orders have it, their page lists them. */
async function barcodes(text: string): Promise<Found[]> {
	if (!(await found(text)).barcode) return [];
	try {
		const { atom } = await findAtom(text);
		return [{ name: atom.barcode_id ?? text, detail: `${atom.name} · ${atom.internal_order_number}`, href: barcodeLink(text) }];
	} catch (error) {
		if (!(error instanceof Problem) || (error.status !== 404 && error.status !== 409)) throw error;
		return error.status === 409 ? [{ name: text, detail: error.message, href: barcodeLink(text) }] : [];
	}
}

async function drafts(text: string): Promise<Found[]> {
	const page = await ask(api.GET('/v2/drafts'));
	return page.drafts
		.filter((draft) => has(text, draft.externalId))
		.map((draft) => ({ name: draft.externalId, detail: nameOf('draft', draft.state), href: draftLink(draft.orderDraftId) }));
}

async function drivers(text: string): Promise<Found[]> {
	const found: Found[] = [];
	for (let page = 1, pages = 1; page <= pages; page++) {
		const got = await ask(api.GET('/v1/drivers', { params: { query: { page, limit: 200 } } }));
		for (const driver of got.items.filter((one) => has(text, one.name, one.phone_number, one.external_id))) {
			found.push({ name: driver.name, detail: driver.phone_number ?? '', href: driverLink(driver.id) });
		}
		pages = got.pages;
	}
	return found;
}

async function templates(text: string): Promise<Found[]> {
	const { recurringOrders } = await ask(api.GET('/v1/recurring_orders', { params: { query: { limit: 1000 } } }));
	return recurringOrders
		.filter((one) => has(text, one.name))
		.map((one) => ({ name: one.name, detail: one.rruleset, href: link(`recurring/${one.recurringOrderId}`) }));
}

const among = (collection: CollectionName) => async (text: string): Promise<Found[]> => {
	const choices = await readChoices(collection, text);
	return choices
		.filter((one) => shapes[collection].searches || has(text, one.name))
		.map((one) => ({ name: one.name, detail: one.isActive ? '' : t('data.out_of_use'), href: link(`data/${collection}/${one.id}`) }));
};
