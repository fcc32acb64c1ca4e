import { HealthService } from './health.service';

// Only its type is needed here, not all that it imports.
jest.mock('#modules/storage', () => ({ StorageService: class {} }));

describe('whether a process is ready', () => {
  let now = 0;
  const clock = { now: () => new Date(now) };

  /** With a store and a queue that work or not, and count who asks them. */
  const scene = () => {
    const there = { store: true, isDraining: false };
    const asked = { store: 0, queue: 0 };
    const service = new HealthService(
      { manager: () => ({ query: () => Promise.resolve([]) }) } as never,
      { check: () => Promise.resolve() } as never,
      {
        check: () => {
          asked.store++;
          return there.store ? Promise.resolve() : Promise.reject(new TypeError('away'));
        },
      } as never,
      { check: () => Promise.resolve(asked.queue++) } as never,
      there as never,
      { warn: () => undefined } as never,
      clock,
    );
    const failed = async (): Promise<string[]> =>
      (await service.checks()).filter(({ status }) => status === 'failed').map(({ name }) => name);
    return { there, asked, failed };
  };
  beforeEach(() => (now = 0));

  // red when: `checks` probes for each who asks: anybody could have a store written and listed as often as they like
  it('is found out once for all who ask in half a second', async () => {
    const { there, asked, failed } = scene();
    expect(await Promise.all([failed(), failed(), failed()])).toEqual([[], [], []]);
    there.store = false;
    now = 499;
    expect(await failed()).toEqual([]);
    expect(asked).toEqual({ store: 1, queue: 1 });
    now = 500;
    expect(await failed()).toEqual(['storage']);
    expect(asked).toEqual({ store: 2, queue: 2 });
  });

  // red when: the drain is remembered like the rest: the balancer would go on sending requests
  it('is told anew at once when it drains', async () => {
    const { there, failed } = scene();
    expect(await failed()).toEqual([]);
    there.isDraining = true;
    expect(await failed()).toEqual(['process']);
  });
});
