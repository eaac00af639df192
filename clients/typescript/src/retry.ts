// Sends requests until they get an answer that lasts.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

/** How often and how long a request is tried again. */
export interface Retries {
  /** How often a request is sent at most; 6 when it is left out. */
  tries?: number;
  /** The first pause and the longest, in milliseconds; a second and a minute. What Retry-After asks for counts instead. */
  first?: number;
  longest?: number;
  /** Waits; on the clock when it is left out. */
  sleep?: (milliseconds: number) => Promise<unknown>;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * Returns a fetch that tries again what was refused for now (429, 503), and what got
 * no answer or that of a fault of the service. Whatever is posted gets an
 * Idempotency-Key unless it has one, so that nothing is done twice.
 */
export function retrying(fetch: Fetch, { tries = 6, first = 1000, longest = 60_000, sleep = pause }: Retries = {}): Fetch {
  return async (request) => {
    if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", randomUUID());
    }
    let next = first;
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(request.clone()).catch((fault: unknown) => {
        if (attempt === tries || request.signal.aborted) {
          throw fault;
        }
        return undefined;
      });
      if (answer && (attempt === tries || !passes(answer.status))) {
        return answer;
      }
      await answer?.body?.cancel();
      await sleep(retryAfter(answer) ?? next / 2 + (Math.random() * next) / 2);
      next = Math.min(2 * next, longest);
    }
  };
}

/** Reports whether what was refused may be answered another time. */
function passes(status: number): boolean {
  return status === 429 || status >= 500;
}

function retryAfter(answer: Response | undefined): number | undefined {
  const seconds = answer?.headers.get("Retry-After");
  return seconds && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
