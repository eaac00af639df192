// The client of the public contract. Pages call nothing else.
import createClient from 'openapi-fetch';
import type { components, paths } from './contract.gen';
import { report } from './faults';
import { language } from './words.svelte';

/** One of the contract's schemas, by its name there. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

// How long an answer may take, in milliseconds. An import waits for its results.
const readsIn = 30_000;
const writesIn = 180_000;

/** A request with a timeout. */
async function inTime(request: Request): Promise<Response> {
	const late = new AbortController();
	const most = request.method === 'GET' ? readsIn : writesIn;
	const timer = setTimeout(() => late.abort(new DOMException('no answer in time', 'TimeoutError')), most);
	try {
		return await fetch(new Request(request, { signal: AbortSignal.any([request.signal, late.signal]) }));
	} finally {
		clearTimeout(timer);
	}
}

export const api = createClient<paths>({
	baseUrl: '',
	fetch: inTime,
	querySerializer: { array: { style: 'form', explode: false } }
});

api.use({
	onRequest({ request }) {
		request.headers.set('Accept-Language', language());
	}
});

/** The error of a field in a request. */
export interface FieldFailure {
	field: string;
	text: string;
	/** The reason, for programs. */
	reason: string;
}

/** An answer that is no success, in the words of the service. */
export class Problem extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly reason = '',
		readonly requestId = '',
		readonly fields: FieldFailure[] = []
	) {
		super(message);
	}

	/** The message about one field of the request, if any. */
	of(field: string): string | undefined {
		return this.fields.find((failure) => failure.field === field)?.text;
	}
}

/** The reason of a problem that is no answer: the service took the request, and has not answered in time. */
export const noAnswer = 'NO_ANSWER';

interface Answer<Body> {
	data?: Body;
	error?: unknown;
	response: Response;
}

const anybody: { signedOut: () => void; suspended: (is: boolean) => void } = { signedOut: () => {}, suspended: () => {} };

/** Sets the handler for an expired session. */
export function whenSignedOut(act: () => void): void {
	anybody.signedOut = act;
}

/** Sets the handlers for the suspension of the organization, and its end. */
export function whenSuspended(act: (is: boolean) => void): void {
	anybody.suspended = act;
}

/** Waits for an answer and returns its body; a refusal or a lost connection is a Problem. */
export async function ask<Body>(answer: Promise<Answer<Body>>, options?: AskOptions): Promise<Body> {
	return (await askTagged(answer, options)).body;
}

interface AskOptions {
	/** Whether a 401 means that nobody is signed in: always, except in response to a passphrase. */
	refusedIsSignedOut?: boolean;
}

/** The response, and the tag with which the service detects later changes. */
export interface Tagged<Body> {
	body: Body;
	tag: string;
}

/** Like ask, with the tag of the response, which may be empty. */
export async function askTagged<Body>(answer: Promise<Answer<Body>>, options?: AskOptions): Promise<Tagged<Body>> {
	let got: Answer<Body>;
	try {
		got = await answer;
	} catch (error) {
		if (error instanceof DOMException && error.name === 'AbortError') throw error;
		throw new Problem(0, '', error instanceof DOMException && error.name === 'TimeoutError' ? noAnswer : '');
	}
	if (got.response.ok) {
		anybody.suspended(false);
		return { body: got.data as Body, tag: got.response.headers.get('ETag') ?? '' };
	}
	if (got.response.status === 401 && options?.refusedIsSignedOut !== false) anybody.signedOut();
	const problem = problemOf(got.error, got.response);
	if (problem.reason === 'ORGANIZATION_SUSPENDED') anybody.suspended(true);
	throw problem;
}

function problemOf(body: unknown, response: Response): Problem {
	const requestId = response.headers.get('X-Request-ID') ?? '';
	if (!isApiError(body)) return new Problem(response.status, response.statusText, '', requestId);
	let reason = '';
	const fields: FieldFailure[] = [];
	for (const detail of body.details) {
		if ('reason' in detail) reason = detail.reason;
		if ('fieldViolations' in detail) {
			for (const violation of detail.fieldViolations) {
				fields.push({ field: violation.field, text: violation.description, reason: violation.reason });
			}
		}
	}
	return new Problem(response.status, body.message, reason, requestId, fields);
}

function isApiError(body: unknown): body is Schema<'ApiError'> {
	return typeof body === 'object' && body !== null && 'message' in body && 'details' in body;
}

/** Anything thrown, as a Problem that can be shown. */
export function asProblem(error: unknown): Problem {
	if (error instanceof Problem) return error;
	if (error instanceof Error && error.constructor !== Error) report(error); // a bug, such as a TypeError
	return new Problem(-1, error instanceof Error ? error.message : String(error));
}
