import { createHash } from 'node:crypto';
import { isUuid } from '#kernel/ids';

/** One page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque to clients. Null on the last page. */
  readonly nextCursor: string | null;
}

/** Start and maximum length of a page. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Names a list by its items and parents. A cursor is valid only for its own list: in another list it counts as malformed and
 * returns the first page.
 */
export type ListName = `${string}|${string}`;

const ID_BYTES = 16;
const CHECK_BYTES = 4;

/**
 * A cursor holds only a position: the id of the last row, and a checksum of the id and the list's name. It grants no access
 * (every query filters by tenant), so the checksum needs no secret.
 */
export function encodeCursor(lastId: string, list: ListName): string {
  return Buffer.concat([Buffer.from(lastId.replaceAll('-', ''), 'hex'), checkOf(lastId, list)]).toString('base64url');
}

/** Returns the id in a cursor of this list. Null for anything else, which returns the first page. */
export function decodeCursor(cursor: string | undefined, list: ListName): string | null {
  if (!cursor || !/^[A-Za-z0-9_-]{27}$/.test(cursor)) return null;
  const bytes = Buffer.from(cursor, 'base64url');
  const hex = bytes.subarray(0, ID_BYTES).toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isUuid(id) && encodeCursor(id, list) === cursor ? id : null;
}

/**
 * Makes a page of rows that were read with `LIMIT limit + 1`: the extra row shows that there is a next page.
 * @param key the property by which the rows are ordered, a UUIDv7.
 */
export function pageOf<T extends Readonly<Record<K, string>>, K extends string = 'id'>(
  rows: readonly T[],
  limit: number,
  list: ListName,
  key: K = 'id' as K,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(last[key], list) : null };
}

const checkOf = (id: string, list: ListName): Buffer =>
  createHash('sha256').update(`${list}|${id}`).digest().subarray(0, CHECK_BYTES);
