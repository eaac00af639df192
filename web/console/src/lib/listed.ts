// Lists that are read part by part.

/** A part of a list. */
export interface Part<Row> {
	rows: Row[];
	/** The token of the next page; empty at the end. */
	next: string;
	/** Whether there are more pages that can't be read. */
	cut?: boolean;
}

/** Reads a page of a list: the first one, or the one of a token. */
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

/** Reads a list with page tokens. */
export function byToken<Row, Answer extends Tokens>(
	read: (token: string, pageSize: number) => Promise<Answer>, rowsOf: (answer: Answer) => Row[]
): ReadPart<Row> {
	return async (at, limit) => {
		const answer = await read(at, limit);
		return { rows: rowsOf(answer), next: answer.hasMore ? (answer.nextToken ?? '') : '' };
	};
}
