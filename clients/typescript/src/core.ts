// Sends the requests of all resources.
import type { Settings } from "./client.js";
import { errorOf, NoResponseError, TimeoutError, UnexpectedResponseError } from "./errors.js";
import { version } from "./generated/version.js";
import { retrying, type Retries } from "./retry.js";

/** How to send one request. */
export interface Options {
  /** Ends the request, its retries and the pauses in between. */
  signal?: AbortSignal | undefined;
  /** How long to wait for one response, in milliseconds. */
  timeout?: number | undefined;
  /** Makes the service carry out a request once. Without it, the client makes a key for each POST. */
  idempotencyKey?: string | undefined;
  /** Changes a record only if it still has this ETag; otherwise there is a PreconditionFailedError. */
  ifMatch?: string | undefined;
  /** Reads a record only if it no longer has this ETag; otherwise there is a NotModifiedError. */
  ifNoneMatch?: string | undefined;
  /** Returns from an import at once. */
  respondAsync?: boolean | undefined;
  language?: string | undefined;
  headers?: Record<string, string> | undefined;
  retries?: Retries | undefined;
}

/** What a response has besides its body. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  /** Identifies the request in the logs of the service. Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** The version of the record, for ifMatch and ifNoneMatch. */
  readonly etag: string | undefined;
}

interface Got<T> {
  data: T;
  response: ResponseInfo;
}

/** A promise of the body of a response. withResponse also has its status and headers. */
export class Answer<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Answer";
  readonly #got: Promise<Got<T>>;

  constructor(got: Promise<Got<T>>) {
    this.#got = got;
  }

  withResponse(): Promise<Got<T>> {
    return this.#got;
  }

  then<A = T, B = never>(
    done?: ((data: T) => A | PromiseLike<A>) | null,
    failed?: ((fault: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#got.then(({ data }) => data).then(done, failed);
  }

  catch<B = never>(failed?: ((fault: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, failed);
  }

  finally(done?: (() => void) | null): Promise<T> {
    return this.then().finally(done);
  }
}

interface Call {
  method: string;
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  reads?: "nothing" | "file";
}

const defaultTimeout = 120_000;

export class Core {
  readonly #base: string;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    if (!/^https?:\/\/./.test(settings.baseUrl)) {
      throw new TypeError("baseUrl must begin with https:// or http://");
    }
    if (!settings.key) {
      throw new TypeError("key is missing");
    }
    this.#base = settings.baseUrl.replace(/\/+$/, "");
    this.#settings = settings;
  }

  call<T>(call: Call, options: Options): Answer<T> {
    const headers = this.#headers(call, options);
    const url = this.#base + call.path + search(call.query ?? {});
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    const send = () => this.#send<T>(url, { method: call.method, headers, body }, call.reads, options);
    return new Answer(retrying(call.method, send, options.retries ?? this.#settings.retries, options.signal));
  }

  #headers(call: Call, options: Options): Headers {
    const { key, language, headers } = this.#settings;
    const all = new Headers({
      Authorization: `apikey ${key}`,
      Accept: "application/json, */*;q=0.5",
      "User-Agent": `waybill-typescript/${version}`,
      ...headers,
    });
    const set = (name: string, value: string | undefined) => {
      if (value !== undefined) {
        all.set(name, value);
      }
    };
    set("Accept-Language", options.language ?? language);
    set("Content-Type", call.body === undefined ? undefined : "application/json");
    set("Idempotency-Key", options.idempotencyKey ?? (call.method === "POST" ? crypto.randomUUID() : undefined));
    set("If-Match", options.ifMatch);
    set("If-None-Match", options.ifNoneMatch);
    set("Prefer", options.respondAsync ? "respond-async" : undefined);
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      all.set(name, value);
    }
    return all;
  }

  /** Sends a request once. */
  async #send<T>(url: string, init: RequestInit, reads: Call["reads"], options: Options): Promise<Got<T>> {
    const timeout = AbortSignal.timeout(options.timeout ?? this.#settings.timeout ?? defaultTimeout);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    let response: Response;
    let bytes: Uint8Array;
    try {
      response = await (this.#settings.fetch ?? fetch)(url, { ...init, signal });
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (fault) {
      options.signal?.throwIfAborted();
      throw timeout.aborted ? new TimeoutError(fault) : new NoResponseError(fault);
    }
    if (!response.ok) {
      throw errorOf(response, bytes);
    }
    return { data: decoded(response, bytes, reads) as T, response: info(response) };
  }
}

function info(response: Response): ResponseInfo {
  const header = (name: string) => response.headers.get(name) ?? undefined;
  return { status: response.status, headers: response.headers, requestId: header("X-Request-ID"), etag: header("ETag") };
}

function decoded(response: Response, bytes: Uint8Array, reads: Call["reads"]): unknown {
  if (reads === "nothing" || response.status === 204) {
    return undefined;
  }
  if (reads === "file") {
    return bytes;
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (fault) {
    throw new UnexpectedResponseError(response, bytes, fault);
  }
}

/** The query of a URL. Lists are separated by commas. */
function search(query: Record<string, unknown>): string {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)) {
      all.set(name, String(value));
    }
  }
  return all.size > 0 ? `?${all}` : "";
}
