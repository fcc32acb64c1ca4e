import { forEachCollectingErrors } from './for-each-collecting-errors';

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

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

  it('does the work for each, and says nothing', async () => {
    expect(await failureOf(['a', 'b'], {})).toEqual({ seen: ['a', 'b'], error: undefined });
  });

  // red when: the first failure ends it, or none is told at the end
  it('goes on after failures, and tells them at the end', async () => {
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

  // red when: all are kept: a log line of as many errors as there are organizations
  it('keeps ten of many failures', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `id-${n}`);
    const { error } = await failureOf(ids, Object.fromEntries(ids.map((id) => [id, new Error('broken')])));
    expect(error).toMatchObject({ message: '30 of 30 failed' });
    expect((error as AggregateError).errors).toHaveLength(10);
  });

  // red when: isDatabaseAway is not asked: each of them would wait until its time is up
  it('gives up at once when there is no database', async () => {
    expect(await failureOf(['a', 'b', 'c'], { b: away })).toEqual({ seen: ['a', 'b'], error: away });
  });
});
