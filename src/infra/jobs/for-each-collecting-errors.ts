import { isDatabaseAway } from '#infra/database/database-errors';

/** How many failures are told. */
const TOLD = 10;

/**
 * Does periodic work for each of many, such as organizations: one that fails keeps none of those after it from theirs.
 * @throws AggregateError at the end when any has failed, with the first ten, each named by its id; at once, what is thrown
 * when the database is away.
 */
export async function forEachCollectingErrors<Id extends string | null>(
  ids: Iterable<Id> | AsyncIterable<Id>,
  work: (id: Id) => Promise<unknown>,
): Promise<void> {
  const told: Error[] = [];
  let [count, failed] = [0, 0];
  for await (const id of ids) {
    count += 1;
    try {
      await work(id);
    } catch (cause) {
      if (isDatabaseAway(cause)) throw cause;
      failed += 1;
      if (told.length < TOLD) told.push(new Error(String(id), { cause }));
    }
  }
  if (failed > 0) throw new AggregateError(told, `${failed} of ${count} failed`);
}
