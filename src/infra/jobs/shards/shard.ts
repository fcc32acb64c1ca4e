/** The number of shards of work over all organizations: as many workers can share it. A power of two. */
export const SHARDS = 16;

/** A page of the organizations of a shard, in the order of their ids. */
export interface ShardPage {
  /** From 0. Null: the organizations of all shards. */
  readonly shard: number | null;
  /** The id after which the page begins. Null: the first page. */
  readonly after: string | null;
  /** The maximum number of ids. */
  readonly limit: number;
}

/**
 * The SQL condition for the organizations of a page, for a statement that is ordered by `column` and limited to `limit` rows.
 * @param first the number of the first of two parameters: see `pageParameters`.
 */
export const inPage = (column: string, first: number): string =>
  `($${first}::int IS NULL OR uuid_hash(${column}) & ${SHARDS - 1} = $${first}::int) AND ($${first + 1}::uuid IS NULL OR ${column} > $${first + 1}::uuid)`;

export const pageParameters = ({ shard, after }: ShardPage): readonly [number | null, string | null] => [shard, after];
