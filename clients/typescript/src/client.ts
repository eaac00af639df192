import { Core, type Answer, type Options } from "./core.js";
import { follow, type Follow } from "./feed.js";
import { Resources, type ImportProgress, type ImportRequest, type ImportResponse, type OrderStatusFeed, type ProductStatusFeed } from "./generated/resources.js";
import { waitForImport } from "./imports.js";
import type { Retries } from "./retry.js";

export interface Settings {
  /** The address of the service, such as https://waybill.example. */
  baseUrl: string;
  /** The API key. */
  key: string;
  /** The language of messages: en, nb or da. */
  language?: string | undefined;
  /** How long to wait for one response, in milliseconds; 120,000 by default. Each try has its own. */
  timeout?: number | undefined;
  /** How often to try again. */
  retries?: Retries | undefined;
  /** Headers of every request. */
  headers?: Record<string, string> | undefined;
  /** Sends the requests; globalThis.fetch by default. */
  fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Calls Waybill. Each property has the operations of a resource:
 *
 *     const client = new Waybill({ baseUrl: "https://waybill.example", key });
 *     const order = await client.orders.getByNumber("SO-1");
 *
 * The client tries again what failed for now, and sends an Idempotency-Key with each POST, so
 * that nothing happens twice. It throws a {@link WaybillError}: an {@link ApiError} for each
 * kind of refusal, or a {@link NoResponseError}.
 */
export class Waybill extends Resources {
  constructor(settings: Settings) {
    super(new Core(settings));
  }

  /**
   * Returns the changes of orders page by page, and waits for more until the signal aborts.
   * Save the nextToken of each page after you have processed its items, and go on from there
   * the next time. Throws a {@link GoneError} when the token is older than the feed, and an
   * {@link InvalidError} with FEED_TOKEN_AHEAD when it comes from another installation.
   */
  followStatusChanges(from: Follow = {}): AsyncGenerator<OrderStatusFeed, void, undefined> {
    return follow(from, (token, options) => this.feed.listStatusChanges({ token, pageSize: 1000 }, options));
  }

  /** Returns the changes of the products of orders, like {@link followStatusChanges}. */
  followProductChanges(from: Follow = {}): AsyncGenerator<ProductStatusFeed, void, undefined> {
    return follow(from, (token, options) => this.feed.listProductChanges({ token, pageSize: 1000 }, options));
  }

  /** Imports orders and waits for the results. */
  async importAndWait(request: ImportRequest, options: Options = {}): Promise<ImportResponse> {
    return this.waitForImport(await this.orders.import(request, options), options);
  }

  /**
   * Returns the results of an import: at once when the answer has them, or when the import has
   * ended. Throws an {@link ImportIncompleteError} when it ended early.
   */
  waitForImport(answer: ImportResponse | ImportProgress, { signal }: Pick<Options, "signal"> = {}): Promise<ImportResponse> {
    return waitForImport(answer, (id): Answer<ImportProgress> => this.orders.getImport(id, {}, { signal }), signal);
  }
}
