import { forEachCollectingErrors } from './for-each-collecting-errors';

const unavailable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('forEachCollectingErrors', () => {
  const failureOf = async (ids: readonly string[], faults: Readonly<Record<string, Error>>) => {
    const seen: string[] = [];
    const work = (id: string): Promise<void> => {
      seen.push(id);
      return faults[id] ? Promise.reject(faults[id]) : Promise.resolve();
    };
    const error: unknown = await forEachCollectingErrors(ids, work).catch((thrown: unknown) => thrown);
    return { seen, error };
  };

  it('runs the work for each id and throws nothing when all succeed', async () => {
    expect(await failureOf(['a', 'b'], {})).toEqual({ seen: ['a', 'b'], error: undefined });
  });

  // red when: the first failure ends the loop, or the loop ends without an error
  it('continues after a failure and throws all failures at the end', async () => {
    const fault = new Error('broken');
    const { seen, error } = await failureOf(['a', 'b', 'c', 'd'], { a: fault, c: fault });
    expect(seen).toEqual(['a', 'b', 'c', 'd']);
    expect(error).toMatchObject({
      message: '2 of 4 failed',
      errors: [
        { message: 'a', cause: fault },
        { message: 'c', cause: fault },
      ],
    });
  });

  // red when: all errors are kept: the log line grows with the number of organizations
  it('reports at most ten of many failures', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `id-${n}`);
    const { error } = await failureOf(ids, Object.fromEntries(ids.map((id) => [id, new Error('broken')])));
    expect(error).toMatchObject({ message: '30 of 30 failed' });
    expect((error as AggregateError).errors).toHaveLength(10);
  });

  // red when: isDatabaseUnavailable is not called: each id would wait for its own timeout
  it('stops immediately when the database is unavailable', async () => {
    expect(await failureOf(['a', 'b', 'c'], { b: unavailable })).toEqual({ seen: ['a', 'b'], error: unavailable });
  });
});
