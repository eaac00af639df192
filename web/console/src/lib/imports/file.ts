// Orders in a file: JSON as the import takes it, or a table with a row an order.
import type { Schema } from '$shared/api';

export type ImportRequest = Schema<'ImportRequest'>;

/** Suggested columns for a table. Any field of the import can be one, written like these. */
export const columns = [
	'externalId',
	'date',
	'customer.externalId',
	'orderType.name',
	'vehicleType.name',
	'pickup.externalId',
	'delivery.name',
	'delivery.address.address1',
	'delivery.address.postalCode',
	'delivery.address.city',
	'delivery.address.country',
	'delivery.earliest',
	'delivery.latest',
	'delivery.contacts.0.firstName',
	'delivery.contacts.0.phoneNumber',
	'products.0.name',
	'products.0.quantity',
	'products.0.weight'
];

/** Fields that are numbers; all others of a table are texts. */
const numbers = /(^|\.)(id|quantity|weight|length|width|height|latitude|longitude|estimatedTimeOnLocation)$/;

/** Reads the orders of a file. An invalid file throws an Error with a description. */
export function requestOf(text: string): ImportRequest {
	const trimmed = text.replace(/^\uFEFF/, '').trim();
	if (!/^[[{]/.test(trimmed)) return { orders: rowsOf(trimmed) };
	const read = JSON.parse(trimmed) as ImportRequest | ImportRequest['orders'];
	return Array.isArray(read) ? { orders: read } : read;
}

function rowsOf(text: string): ImportRequest['orders'] {
	const [head = [], ...rows] = cellsOf(text);
	return rows.map((row) => {
		const order = {};
		head.forEach((path, at) => put(order, path.trim(), row[at]?.trim() ?? ''));
		return order;
	});
}

/** Sets a value at a path such as products.0.weight. */
function put(order: object, path: string, text: string): void {
	if (!path || text === '') return;
	const steps = path.split('.');
	const last = steps.pop() ?? '';
	let at = order as Record<string, unknown>;
	for (const [index, step] of steps.entries()) {
		const next = /^\d+$/.test(steps[index + 1] ?? last) ? [] : {};
		at = (at[step] ??= next) as Record<string, unknown>;
	}
	at[last] = numbers.test(path) ? Number(text.replace(',', '.')) : text;
}

/**
 * The cells of a table separated by commas, semicolons or tabs; quoted ones may contain anything.
 */
function cellsOf(text: string): string[][] {
	const firstLine = text.split('\n', 1)[0] ?? '';
	const divider = [';', '\t'].find((one) => firstLine.includes(one)) ?? ',';
	const rows: string[][] = [[]];
	let cell = '';
	let quoted = false;
	const end = () => rows.at(-1)?.push(cell) && (cell = '');
	for (let at = 0; at < text.length; at++) {
		const letter = text[at]!;
		if (quoted && letter === '"' && text[at + 1] === '"') {
			cell += text[++at];
		} else if (letter === '"') {
			quoted = !quoted;
		} else if (quoted || (letter !== divider && letter !== '\n' && letter !== '\r')) {
			cell += letter;
		} else if (letter === divider) {
			end();
		} else if (letter === '\n') {
			end();
			rows.push([]);
		}
	}
	end();
	return rows.filter((row) => row.some((one) => one.trim()));
}
