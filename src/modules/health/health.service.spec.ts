import { HealthService } from './health.service';

// The spec needs only the type of this module, so its imports are not loaded.
jest.mock('#modules/storage', () => ({ StorageService: class {} }));

describe('HealthService', () => {
  let now = 0;
  const clock = { now: () => new Date(now) };

  /** A service on fake dependencies, which count how often they are checked. */
  const fixture = () => {
    const state = { storeWorks: true, isRoomLow: false, isDraining: false };
    const checked = { store: 0, queue: 0 };
    const service = new HealthService(
      {
        check: () => Promise.resolve(),
        checkMigrations: () => Promise.resolve(),
        checkClock: () => Promise.resolve(),
      } as never,
      {
        check: () => {
          checked.store++;
          return state.storeWorks ? Promise.resolve() : Promise.reject(new TypeError('unavailable'));
        },
        isRoomLow: () => Promise.resolve(state.isRoomLow),
      } as never,
      { check: () => Promise.resolve(checked.queue++) } as never,
      state as never,
      { warn: () => undefined } as never,
      clock,
    );
    const failed = async (): Promise<string[]> =>
      (await service.checks()).filter(({ status }) => status === 'failed').map(({ name }) => name);
    return { state, checked, failed, service };
  };
  beforeEach(() => (now = 0));

  // red when: `checks` is not cached: every caller could make the service write to the store and list it
  it('checks the dependencies once for all calls within half a second', async () => {
    const { checked, failed } = fixture();
    expect(await Promise.all([failed(), failed(), failed()])).toEqual([[], [], []]);
    now = 499;
    expect(await failed()).toEqual([]);
    expect(checked).toMatchObject({ queue: 1 });
    now = 500;
    expect(await failed()).toEqual([]);
    expect(checked).toMatchObject({ queue: 2 });
  });

  // red when: the store is checked with the other dependencies: probes twice a second would write, list and delete
  it('checks a working store every thirty seconds, and a failing one every half second', async () => {
    const { state, checked, failed } = fixture();
    for (now = 0; now < 30_000; now += 500) expect(await failed()).toEqual([]);
    expect(checked).toEqual({ store: 1, queue: 60 });
    state.storeWorks = false;
    for (now = 30_000; now < 32_000; now += 500) expect(await failed()).toEqual(['storage']);
    expect(checked.store).toBe(5);
    state.storeWorks = true;
    expect(await failed()).toEqual([]);
  });

  it('reports a store with too little room, which does not fail', async () => {
    const { state, failed, service } = fixture();
    state.isRoomLow = true;
    expect(await service.checks()).toContainEqual({ name: 'storage_room', status: 'low' });
    expect(await failed()).toEqual([]);
  });

  // red when: the drain is cached with the other checks: load balancers would go on sending requests
  it('fails immediately when the process drains', async () => {
    const { state, failed } = fixture();
    expect(await failed()).toEqual([]);
    state.isDraining = true;
    expect(await failed()).toEqual(['process']);
  });
});
