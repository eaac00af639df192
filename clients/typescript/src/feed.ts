import type { Options } from "./core.js";
import { pause } from "./retry.js";

/** How to follow a feed. */
export interface Follow extends Options {
  /** The nextToken of the last page that you processed. Without one, the feed starts at the oldest change that the service has. */
  token?: string | undefined;
  /** The pause before asking again when nothing was waiting, in milliseconds; 5,000 by default. With false the iteration ends instead. */
  interval?: number | false | undefined;
}

interface Page {
  nextToken: string;
  hasMore: boolean;
}

export async function* follow<P extends Page>(
  { token = "", interval = 5000, ...options }: Follow,
  read: (token: string, options: Options) => PromiseLike<P>,
): AsyncGenerator<P, void, undefined> {
  for (;;) {
    const page = await read(token, options);
    yield page;
    token = page.nextToken;
    if (!page.hasMore) {
      if (interval === false) {
        return;
      }
      await pause(interval, options.signal);
    }
  }
}
