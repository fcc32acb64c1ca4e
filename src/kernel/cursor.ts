import { createHash } from 'node:crypto';
import { isUuid } from '#kernel/ids';

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
 * Names one list: what it lists and under which parents. A cursor is good for the list it came from; on any other it is
 * like a malformed one, and the first page is shown (contract §1).
 */
export type ListName = `${string}|${string}`;

const ID_BYTES = 16;
const CHECK_BYTES = 4;

/**
 * A cursor holds a position only: the id of the last row shown, and a checksum over it and the list's name. It carries no
 * authority, so the checksum need not be secret: every query is bound to its tenant by itself.
 */
export function encodeCursor(lastId: string, list: ListName): string {
  return Buffer.concat([Buffer.from(lastId.replaceAll('-', ''), 'hex'), checkOf(lastId, list)]).toString('base64url');
}

/** The id in a cursor of this list, or null for anything else: then the first page is shown (specification §7 rule 7). */
export function decodeCursor(cursor: string | undefined, list: ListName): string | null {
  if (!cursor || !/^[A-Za-z0-9_-]{27}$/.test(cursor)) return null;
  const bytes = Buffer.from(cursor, 'base64url');
  const hex = bytes.subarray(0, ID_BYTES).toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isUuid(id) && encodeCursor(id, list) === cursor ? id : null;
}

/** Makes a page of rows that were read one longer than asked, which tells whether there is a next. */
export function pageOf<T extends { readonly id: string }>(rows: readonly T[], limit: number, list: ListName): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(last.id, list) : null };
}

const checkOf = (id: string, list: ListName): Buffer =>
  createHash('sha256').update(`${list}|${id}`).digest().subarray(0, CHECK_BYTES);
