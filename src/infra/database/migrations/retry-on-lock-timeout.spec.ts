import { StartupError } from '#kernel/errors/startup-error';
import { retryOnLockTimeout } from './retry-on-lock-timeout';

const lockedOut = (): Error => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

describe('what needs tables that others use', () => {
  let waits: number[];
  let lines: string[];
  beforeEach(() => {
    waits = [];
    lines = [];
  });

  const tries = (failures: number, error: () => Error = lockedOut): Promise<string> => {
    const work = (lockWaitMs: number): Promise<string> => {
      waits.push(lockWaitMs);
      return waits.length > failures ? Promise.resolve('done') : Promise.reject(error());
    };
    return retryOnLockTimeout(work, { log: (line) => lines.push(line), tries: 12, pauseMs: 0 });
  };

  it('is done at once when they are free, and says nothing', async () => {
    expect(await tries(0)).toBe('done');
    expect([waits, lines]).toEqual([[500], []]);
  });

  // red when: it waits as long each time
  it('is tried again, now and then for longer than deadlock_timeout, and says so once', async () => {
    expect(await tries(10)).toBe('done');
    expect(waits).toEqual([500, 500, 500, 500, 1_500, 500, 500, 500, 500, 1_500, 500]);
    expect(lines).toEqual([expect.stringContaining('lock timeout')]);
  });

  it('is tried again after a deadlock, too', async () => {
    expect(await tries(1, () => Object.assign(new Error('deadlock detected'), { code: '40P01' }))).toBe('done');
  });

  // red when: it is tried for ever
  it('is given up in the end, with what to do', async () => {
    const end = await tries(99).catch((error: unknown) => error);
    expect(end).toBeInstanceOf(StartupError);
    expect((end as Error).message).toContain('xact_start');
    expect(waits).toHaveLength(12);
  });

  // red when: every failure is taken for a lock
  it('fails at once when something else is wrong', async () => {
    const broken = new Error('division by zero');
    await expect(tries(1, () => broken)).rejects.toBe(broken);
    expect(waits).toHaveLength(1);
  });
});
