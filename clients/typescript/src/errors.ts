// Errors: one class for each kind.
import type { ErrorReason, StatusDetail } from "./generated/models.js";

/** Any error of this client. */
export class WaybillError extends Error {
  override readonly name: string = "WaybillError";
}

/** The request got no response, or not all of it, after all retries. cause says why. */
export class NoResponseError extends WaybillError {
  override readonly name: string = "NoResponseError";
  constructor(cause: unknown, message = "no response") {
    super(`${message}: ${cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : String(cause)}`, { cause });
  }
}

/** The response took longer than the timeout. */
export class TimeoutError extends NoResponseError {
  override readonly name = "TimeoutError";
  constructor(cause: unknown) {
    super(cause, "no response in time");
  }
}

interface Status {
  code: number | undefined;
  message: string;
  details: StatusDetail[];
}

/** A response of the service that is not a success. */
export class ApiError extends WaybillError {
  override readonly name: string = "ApiError";
  /** The HTTP status. */
  readonly status: number;
  /** The reason for programs; undefined when the response is not from Waybill. Handle an unknown one by the status. */
  readonly reason: ErrorReason | undefined;
  /** The values of the message. */
  readonly metadata: Record<string, string>;
  /** Name the fields to correct, and more. */
  readonly details: StatusDetail[];
  /** Identifies the request in the logs of the service. Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** How long the service asks you to wait, in milliseconds. */
  readonly retryAfter: number | undefined;
  readonly headers: Headers;
  /** The body as text, at most its first 65,536 characters. */
  readonly body: string;

  constructor(response: Response, bytes: Uint8Array, message?: string, options?: ErrorOptions) {
    const body = new TextDecoder().decode(bytes).slice(0, 65_536);
    const { message: said, details } = statusOf(body);
    const info = details.find((detail) => String(detail["@type"]).endsWith("/google.rpc.ErrorInfo"));
    const requestId = response.headers.get("X-Request-ID") ?? undefined;
    super(`${response.status}${info?.reason ? ` ${info.reason}` : ""}: ${message ?? (said || response.statusText)}${requestId ? ` (request ${requestId})` : ""}`, options);
    this.status = response.status;
    this.reason = info?.reason;
    this.metadata = info?.metadata ?? {};
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter(response.headers.get("Retry-After"));
    this.headers = response.headers;
    this.body = body;
  }
}

/** The request must be corrected: 400, 413, 415 or 422. */
export class InvalidError extends ApiError {
  override readonly name = "InvalidError";
}
/** The key is missing, wrong, expired or revoked. */
export class UnauthorizedError extends ApiError {
  override readonly name = "UnauthorizedError";
}
/** The key may not call the operation. */
export class ForbiddenError extends ApiError {
  override readonly name = "ForbiddenError";
}
/** The record does not exist, or belongs to another organization. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}
/** The record does not allow this in its present state. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}
/** The token of a feed is older than the feed. */
export class GoneError extends ApiError {
  override readonly name = "GoneError";
}
/** The record no longer has the ETag of ifMatch. */
export class PreconditionFailedError extends ApiError {
  override readonly name = "PreconditionFailedError";
}
/** There were too many requests, after all retries. */
export class RateLimitedError extends ApiError {
  override readonly name = "RateLimitedError";
}
/** The service, or a proxy before it, failed after all retries. */
export class UnavailableError extends ApiError {
  override readonly name = "UnavailableError";
}
/** The record still has the ETag of ifNoneMatch. */
export class NotModifiedError extends ApiError {
  override readonly name = "NotModifiedError";
}
/** The response is a success, but not JSON; is there a proxy in between? */
export class UnexpectedResponseError extends ApiError {
  override readonly name = "UnexpectedResponseError";
  constructor(response: Response, bytes: Uint8Array, cause: unknown) {
    super(response, bytes, "the response is not JSON; is there a proxy in between?", { cause });
  }
}

const kinds: Record<number, typeof ApiError> = {
  304: NotModifiedError,
  400: InvalidError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionFailedError,
  413: InvalidError,
  415: InvalidError,
  422: InvalidError,
  429: RateLimitedError,
};

/** Returns the error of a response, which can be of any form when it comes from a proxy. */
export function errorOf(response: Response, bytes: Uint8Array): ApiError {
  const kind = kinds[response.status] ?? (response.status >= 500 ? UnavailableError : ApiError);
  return new kind(response, bytes);
}

function statusOf(body: string): Status {
  try {
    const status = JSON.parse(body) as Partial<Status> | null;
    return {
      code: status?.code,
      message: typeof status?.message === "string" ? status.message : "",
      details: Array.isArray(status?.details) ? status.details.filter((detail) => typeof detail === "object" && detail !== null) : [],
    };
  } catch {
    return { code: undefined, message: "", details: [] };
  }
}

/** Reads seconds or a date. */
function retryAfter(header: string | null): number | undefined {
  if (!header) {
    return undefined;
  }
  if (/^\d+$/.test(header)) {
    return Number(header) * 1000;
  }
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
