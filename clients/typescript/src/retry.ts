// Sends a request until it succeeds or fails for good.
import { ApiError, ConflictError, NoResponseError, UnexpectedResponseError } from "./errors.js";

/** How often to send a request, and how long to wait in between. */
export interface Retries {
  /** How often a request is sent at most; 6 by default. */
  tries?: number | undefined;
  /** The first and the longest pause in milliseconds; 1,000 and 60,000 by default. Retry-After of a response counts instead. */
  first?: number | undefined;
  longest?: number | undefined;
  /** Waits; on the clock by default. */
  sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
}

export async function retrying<T>(method: string, send: () => Promise<T>, retries: Retries = {}, signal?: AbortSignal): Promise<T> {
  const { tries = 6, first = 1000, longest = 60_000, sleep = pause } = retries;
  let next = first;
  for (let attempt = 1; ; attempt++) {
    try {
      signal?.throwIfAborted();
      return await send();
    } catch (fault) {
      if (attempt >= tries || !again(method, fault)) {
        throw fault;
      }
      const asked = fault instanceof ApiError ? fault.retryAfter : undefined;
      await sleep(asked ?? next / 2 + (Math.random() * next) / 2, signal);
      next = Math.min(2 * next, longest);
    }
  }
}

/**
 * Reports whether a request can succeed when it is sent once more. Every POST has an
 * Idempotency-Key, and the other methods end the same when they are repeated.
 */
function again(method: string, fault: unknown): boolean {
  if (fault instanceof UnexpectedResponseError) {
    return method === "GET"; // others were carried out
  }
  if (fault instanceof ConflictError) {
    return fault.retryAfter !== undefined; // it lost a race
  }
  return fault instanceof NoResponseError || (fault instanceof ApiError && (fault.status === 429 || fault.status >= 500));
}

/** Waits on the clock, until the signal aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
