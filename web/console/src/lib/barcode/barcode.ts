// The goods of a barcode, and who read it when.
import { api, ask, type Schema } from '$shared/api';
import { readStory } from '../orders/read';
import { link } from '../links';

export type Scan = Schema<'StoryItem'>;
export type Atom = Schema<'Atom'>;

export interface Found {
	scanned: Schema<'ScannedAtom'>;
	order: Schema<'Order'>;
	scans: Scan[];
}

/** A serial shipping container code is the same with the identifier that scanners read before it. */
const plain = (code: string): string => (/^00\d{18}$/.test(code) ? code.slice(2) : code);

const said = (item: Scan, name: string): string => String(item.data?.[name] ?? '');

/** What was done with the goods when they were scanned. */
export const eventOf = (scan: Scan): string => said(scan, 'event');
export const scannedAt = (scan: Scan): string => said(scan, 'scannedAt') || scan.occurred_at;
export const placeOf = (scan: Scan): number => Number(said(scan, 'locationId')) || 0;

export const findAtom = (code: string): Promise<Schema<'ScannedAtom'>> =>
	ask(api.GET('/v1/atoms/by-barcode/{barcodeId}', { params: { path: { barcodeId: code } } }));

/** Finds the goods of a barcode, their order, and all scans, latest first. */
export async function lookUp(code: string): Promise<Found> {
	const scanned = await findAtom(code);
	const path = { orderId: scanned.order_id };
	const [order, scans] = await Promise.all([
		ask(api.GET('/v1/orders/{orderId}', { params: { path, query: { loads: ['Customer', 'OrderLocations.Address'] } } })),
		scansOf(scanned.order_id, plain(scanned.atom.barcode_id ?? code))
	]);
	return { scanned, order, scans };
}

const mostPages = 10;

async function scansOf(orderId: number, code: string): Promise<Scan[]> {
	const scans: Scan[] = [];
	for (let page = 0, token: string | undefined; page < mostPages; page++) {
		const story = await readStory(orderId, token);
		scans.push(...story.items.filter((item) => item.kind === 'order.product_scanned' && plain(said(item, 'barcodeId')) === code));
		token = story.next_token ?? undefined;
		if (!story.has_more || !token) break;
	}
	return scans.sort((a, b) => scannedAt(b).localeCompare(scannedAt(a)));
}

export const barcodeLink = (code: string): string => link(`barcode?code=${encodeURIComponent(code)}`);
