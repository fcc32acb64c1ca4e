import { StartupError } from '#kernel/errors/startup-error';
import { retryOnLockTimeout } from './retry-on-lock-timeout';

const lockedOut = (): Error => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

describe('retryOnLockTimeout', () => {
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
    return retryOnLockTimeout(work, { log: (line) => lines.push(line), attempts: 12, pauseMs: 0 });
  };

  it('runs the work once and logs nothing when the tables are free', async () => {
    expect(await tries(0)).toBe('done');
    expect([waits, lines]).toEqual([[500], []]);
  });

  // red when: every attempt has the same lock timeout
  it('retries, every fifth time beyond deadlock_timeout, and logs once', async () => {
    expect(await tries(10)).toBe('done');
    expect(waits).toEqual([500, 500, 500, 500, 1_500, 500, 500, 500, 500, 1_500, 500]);
    expect(lines).toEqual([expect.stringContaining('lock timeout')]);
  });

  it('retries after a deadlock', async () => {
    expect(await tries(1, () => Object.assign(new Error('deadlock detected'), { code: '40P01' }))).toBe('done');
  });

  // red when: it retries without limit
  it('fails after the last attempt, with advice', async () => {
    const end = await tries(99).catch((error: unknown) => error);
    expect(end).toBeInstanceOf(StartupError);
    expect((end as Error).message).toContain('xact_start');
    expect(waits).toHaveLength(12);
  });

  // red when: every error is treated as a lock timeout
  it('fails immediately with any other error', async () => {
    const broken = new Error('division by zero');
    await expect(tries(1, () => broken)).rejects.toBe(broken);
    expect(waits).toHaveLength(1);
  });
});
