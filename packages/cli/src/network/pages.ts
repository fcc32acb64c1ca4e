interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** The largest page that the API returns. */
const PAGE_SIZE = 1000;

/**
 * The items of a list, page by page as they are needed.
 * @param read requests one page; an undefined cursor means the first.
 */
export async function* itemsOf<Item>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Item>>,
  limit = PAGE_SIZE,
): AsyncGenerator<Item> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Page<Item> = await read({ limit, ...(cursor !== undefined && { cursor }) });
    yield* page.items;
    cursor = page.next_cursor;
  }
}

/** All items of a list. */
export async function allItemsOf<Item>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of itemsOf(read)) items.push(item);
  return items;
}
