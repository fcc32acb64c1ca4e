import { type RequestContext } from '#kernel/context/request-context';
import { encodeCursor, type ListName, type Page, pageOf } from '#kernel/cursor';
import { one, rows } from './sql';
import { type Transactions } from './transactions';

/** SQL, never input, and the values of its parameters. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A condition with `?` for its value, everywhere it is used. Absent while the value is null or undefined. Without a value, always present. */
export type Condition = readonly [condition: string] | readonly [condition: string, value: unknown];

/** Joins the conditions that are present. @param first the number of the first parameter. */
export function allOf(conditions: readonly Condition[], first = 1): Sql {
  const values: unknown[] = [];
  const texts = conditions.flatMap(([text, ...value]) => {
    if (value.length === 0) return [text];
    if (value[0] === undefined || value[0] === null) return [];
    values.push(value[0]);
    return [text.replaceAll('?', `$${first + values.length - 1}`)];
  });
  return { text: texts.join(' AND '), values };
}

/**
 * A search for rows that meet conditions without an index. It reads a constant number of the rows that an index finds
 * (docs/decisions/0085-what-a-list-reads.md).
 */
export interface BoundedSearch {
  /** The table, or its alias in `source`. */
  readonly table: string;
  /** The table, joined so that an index of the first one has the order. */
  readonly source: string;
  /** The conditions that an index serves. */
  readonly indexed: Sql;
  /** The conditions that no index serves, numbered after those of `indexed`. Empty: all rows that an index finds are read. */
  readonly searched: Sql;
  /** The order of the list, which ends with the id. */
  readonly order: string;
  /** The maximum number of rows that are searched. */
  readonly max: number;
}

/** Selects the first rows that a search finds. */
export function firstFound(search: BoundedSearch, columns: string, count: number): Sql {
  const { table, source, indexed, searched, order, max } = search;
  const read = `${source} WHERE ${indexed.text}`;
  const found = searched.text
    ? `(SELECT ${table}.* FROM ${read} ORDER BY ${order} LIMIT ${max}) AS ${table} WHERE ${searched.text}`
    : read;
  const values = [...indexed.values, ...searched.values, count];
  return { text: `SELECT ${columns} FROM ${found} ORDER BY ${order} LIMIT $${values.length}`, values };
}

/**
 * One page of a search. If a condition has no index, the page may be short or empty, its cursor continues the search, and its statements are
 * heavy.
 */
export async function searchPage<T extends { readonly id: string }>(
  transactions: Transactions,
  ctx: RequestContext,
  search: BoundedSearch,
  columns: string,
  { limit, list }: { readonly limit: number; readonly list: ListName },
): Promise<Page<T>> {
  const database = transactions.manager(search.searched.text ? { ...ctx, isHeavy: true } : ctx);
  const { text, values } = firstFound(search, columns, limit + 1);
  const found = await rows<T>(database, text, values);
  if (!search.searched.text || found.length > limit) return pageOf(found, limit, list);
  const { table, source, indexed, order, max } = search;
  const last = await one<{ id: string }>(
    database,
    `SELECT ${table}.id FROM ${source} WHERE ${indexed.text} ORDER BY ${order} OFFSET ${max - 1} LIMIT 1`,
    indexed.values,
  );
  return { items: found, nextCursor: last && encodeCursor(last.id, list) };
}
