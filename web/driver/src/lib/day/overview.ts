// One line for each door of the day.
import { isOver, recipientOf, type Door, type Stop, type Visit } from './visits';

/** The goods of a stop that hold no others. */
export function parcelsOf(stops: Stop[]): number {
	const goods = stops.flatMap((stop) => stop.products);
	return goods.filter(({ id }) => !goods.some((one) => one.parentId === id)).reduce((sum, { quantity }) => sum + quantity, 0);
}

export interface Line {
	number: number;
	/** The visit that is opened: the first one that is not over. */
	visit: Visit;
	kinds: Visit['kind'][];
	/** Who is there, if the name of the place does not say it. */
	recipients: string[];
	parcels: number;
	eta: string | null;
	isLate: boolean;
	/** What a search looks at. */
	text: string;
}

/** A door in the list of the day. */
export function lineOf({ number, visits }: Door): Line {
	const open = visits.filter((visit) => !isOver(visit.status));
	const left = open.length ? open : visits;
	const visit = left[0]!;
	const stops = left.flatMap((one) => one.stops);
	const recipients = [...new Set(left.filter((one) => one.kind === 'DELIVERY').flatMap((one) => one.stops.map(recipientOf)))];
	const { eta, latest, address } = visit.place;
	const said = [
		visit.place.name, ...stops.map(recipientOf), ...stops.map((stop) => stop.externalId),
		address?.address1, address?.postal_code, address?.city, ...stops.flatMap((stop) => stop.products.map((product) => product.barcode))
	];
	return {
		number,
		visit,
		kinds: [...new Set(left.map((one) => one.kind))],
		recipients: recipients.filter((name) => name !== visit.place.name),
		parcels: parcelsOf(stops),
		eta,
		isLate: visit.status === 'pending' && eta !== null && Date.parse(eta) > Date.parse(latest),
		text: said.filter(Boolean).join(' ').toLowerCase()
	};
}

/** The lines with all words of a search; a number finds the stop with it as well. */
export function found(lines: Line[], search: string): Line[] {
	const words = search.toLowerCase().split(/\s+/).filter(Boolean);
	return lines.filter((line) => words.every((word) => line.text.includes(word) || word === String(line.number)));
}
