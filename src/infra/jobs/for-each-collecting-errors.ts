import { isDatabaseUnavailable } from '#infra/database/database-errors';

/** The thrown error holds at most this many causes, so that a log line stays short. */
const MAX_REPORTED = 10;

/**
 * Runs periodic work for each id (for example each organization). A failure does not stop the work for the ids after it.
 * @throws AggregateError at the end when any id failed: the first ten errors, each named by its id.
 * @throws the error itself, immediately, when the database is unavailable.
 */
export async function forEachCollectingErrors<Id extends string | null>(
  ids: Iterable<Id> | AsyncIterable<Id>,
  work: (id: Id) => Promise<unknown>,
): Promise<void> {
  const reported: Error[] = [];
  let [count, failed] = [0, 0];
  for await (const id of ids) {
    count += 1;
    try {
      await work(id);
    } catch (cause) {
      if (isDatabaseUnavailable(cause)) throw cause;
      failed += 1;
      if (reported.length < MAX_REPORTED) reported.push(new Error(String(id), { cause }));
    }
  }
  if (failed > 0) throw new AggregateError(reported, `${failed} of ${count} failed`);
}
