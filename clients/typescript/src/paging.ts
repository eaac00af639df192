/** Yields the entries of page after page. next is the request of the next page, if there is one. */
export async function* eachPage<Request, Page, Entry>(
  request: Request,
  read: (at: Request) => PromiseLike<Page>,
  split: (page: Page, at: Request) => { entries: Entry[]; next: Request | undefined },
): AsyncGenerator<Entry, void, undefined> {
  for (let at: Request | undefined = request; at !== undefined; ) {
    const { entries, next } = split(await read(at), at);
    yield* entries;
    at = next;
  }
}
