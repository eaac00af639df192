// Sends actions and pictures to the service, and determines whether they
// arrived.
import type { Schema } from '$shared/api';
import type { Answer, Failure, Picture, Waiting } from './store';

/** The result of a request. Only a response of the service itself ends the waiting. */
export type Heard =
	| { kind: 'answers'; answers: Answer[] }
	/** None of the actions was processed, and none will be as they are. */
	| { kind: 'refused'; answer: Answer }
	| { kind: 'later'; failure: Failure; after?: number };

export type Brought = { kind: 'there' } | { kind: 'refused'; why: string } | { kind: 'later'; failure: Failure };

export interface Wire {
	/** Sends actions in their sequence, as one request. */
	send(actions: Waiting[]): Promise<Heard>;
	bring(picture: Picture): Promise<Brought>;
}

/** After this many milliseconds an answer is no longer waited for. */
export const patience = 30_000;
const pictures = 180_000;

/** The requests of a browser, in a language and by a clock. */
export function wireOf(language: () => string, now: () => Date = () => new Date()): Wire {
	const headers = () => ({ 'Accept-Language': language() });
	return {
		async send(actions) {
			// The bodies are unchanged; each request adds its time of sending, by
			// which the service corrects a wrong clock.
			const sentAt = `,"sentAt":${JSON.stringify(now().toISOString())}}`;
			const response = await ask('/v1/driver/actions', patience, {
				method: 'POST',
				headers: { ...headers(), 'Content-Type': 'application/json' },
				body: `{"actions":[${actions.map(({ body }) => body.slice(0, -1) + sentAt).join(',')}]}`
			});
			if (!response) return { kind: 'later', failure: 'network' };
			const body: unknown = await response.json().catch(() => undefined);
			if (response.status === 200) {
				const answers = answersOf(body, actions);
				return answers ? { kind: 'answers', answers } : { kind: 'later', failure: 'network' };
			}
			if (isFinal(response.status) && saysWhy(body)) {
				return { kind: 'refused', answer: { outcome: 'REJECTED', reason: 'MALFORMED', text: body.message } };
			}
			return later(response);
		},
		async bring(picture) {
			const response = await ask(`/v1/driver/proofs/${picture.sha256}`, pictures, {
				method: 'PUT',
				headers: { ...headers(), 'Content-Type': picture.type },
				body: picture.bytes
			});
			if (!response) return { kind: 'later', failure: 'network' };
			if (response.status === 204) return { kind: 'there' };
			const body: unknown = await response.json().catch(() => undefined);
			if (isFinal(response.status) && saysWhy(body)) return { kind: 'refused', why: body.message };
			return later(response);
		}
	};
}

/** Sends a request; nothing is known of it without a response. */
export async function ask(path: string, wait: number, init: RequestInit): Promise<Response | undefined> {
	try {
		return await fetch(path, { ...init, redirect: 'error', cache: 'no-store', signal: AbortSignal.timeout(wait) });
	} catch {
		return undefined; // the network may have lost the request, or only its answer
	}
}

/** Statuses of responses for which a retry is useless. */
export const isFinal = (status: number): boolean => [400, 404, 413, 415, 422].includes(status);

const isObject = (body: unknown): body is Record<string, unknown> => typeof body === 'object' && body !== null;

/** Reports whether the service itself answers, and not something on the way to it. */
export const saysWhy = (body: unknown): body is Schema<'ApiError'> =>
	isObject(body) && typeof body['message'] === 'string' && Array.isArray(body['details']);

/** The results of actions, if there is one for each. */
function answersOf(body: unknown, actions: Waiting[]): Answer[] | undefined {
	const results = isObject(body) ? (body as Partial<Schema<'DriverActionResults'>>).results : undefined;
	if (!Array.isArray(results) || results.length !== actions.length) return undefined;
	if (!results.every((result, turn) => result?.id === actions[turn]!.id && result.outcome)) return undefined;
	return results.map(({ outcome, reason, text }) => ({ outcome, reason: reason ?? '', text: text ?? '' }));
}

/** Why a request has to be sent again, and when. */
export function later(response: Response): { kind: 'later'; failure: Failure; after?: number } {
	if (response.status === 401 || response.status === 403) return { kind: 'later', failure: 'stranger' };
	const seconds = Number(response.headers.get('Retry-After'));
	const after = seconds > 0 ? Math.min(seconds, 600) * 1000 : undefined;
	return { kind: 'later', failure: response.status === 429 ? 'busy' : 'server', after };
}
