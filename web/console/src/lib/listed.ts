// Lists that are read part by part.

/** A part of a list. */
export interface Part<Row> {
	rows: Row[];
	/** Where the list goes on; empty at its end. */
	next: string;
	/** Whether the list goes on, but cannot be read any further. */
	cut?: boolean;
}

/** Reads a part of a list: the first one, or where another part says that the list goes on. */
export type ReadPart<Row> = (at: string, limit: number) => Promise<Part<Row>>;

/** Reads a list whose pages are numbered. */
export function byPage<Row>(read: (page: number, limit: number) => Promise<{ rows: Row[]; pages: number; cut?: boolean }>): ReadPart<Row> {
	return async (at, limit) => {
		const page = Number(at) || 1;
		const { rows, pages, cut = false } = await read(page, limit);
		return { rows, next: page < pages ? String(page + 1) : '', cut };
	};
}

interface Tokens {
	hasMore: boolean;
	nextToken?: string | null;
}

/** Reads a list whose answers say with a token where it goes on. */
export function byToken<Row, Answer extends Tokens>(
	read: (token: string, pageSize: number) => Promise<Answer>, rowsOf: (answer: Answer) => Row[]
): ReadPart<Row> {
	return async (at, limit) => {
		const answer = await read(at, limit);
		return { rows: rowsOf(answer), next: answer.hasMore ? (answer.nextToken ?? '') : '' };
	};
}
