import { isUuid } from '#kernel/ids/ids';

/** One page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque to clients; null on the last page. */
  readonly nextCursor: string | null;
}

/** Where a page starts and how long it is. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * A cursor holds a position only: the id of the last row shown. It carries no authority, so it need not be signed: every
 * query is bound to its tenant by itself.
 */
export const encodeCursor = (lastId: string): string =>
  Buffer.from(lastId.replaceAll('-', ''), 'hex').toString('base64url');

/** The id in a cursor, or null for anything that is not one: then the first page is shown (specification §7 rule 7). */
export function decodeCursor(cursor: string | undefined): string | null {
  if (!cursor || !/^[A-Za-z0-9_-]{22}$/.test(cursor)) return null;
  const hex = Buffer.from(cursor, 'base64url').toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isUuid(id) ? id : null;
}

/** Makes a page of rows that were read one longer than asked, which tells whether there is a next. */
export function pageOf<T extends { readonly id: string }>(rows: readonly T[], limit: number): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(last.id) : null };
}
