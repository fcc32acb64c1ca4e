import { ShutdownHooks } from './shutdown';

describe('what must be stopped', () => {
  const scene = (...failing: readonly string[]) => {
    const stopped: string[] = [];
    const stops = new ShutdownHooks();
    for (const name of ['database', 'pool', 'server']) {
      stops.push(() => {
        stopped.push(name);
        return failing.includes(name) ? Promise.reject(new TypeError(name)) : Promise.resolve();
      });
    }
    return { stops, stopped };
  };

  // red when: the order is that of the start; or what is stopped stays on the list
  it('is stopped last first, and once', async () => {
    const { stops, stopped } = scene();
    await stops.run();
    await stops.run();
    expect(stopped).toEqual(['server', 'pool', 'database']);
  });

  // red when: `run` ends at the first that fails (the embedded PostgreSQL would stay), or keeps its error to itself
  it('is stopped, all of it, although a part cannot be', async () => {
    const { stops, stopped } = scene('server');
    await expect(stops.run()).rejects.toThrow(new TypeError('server'));
    expect(stopped).toEqual(['server', 'pool', 'database']);
  });

  it('tells of each part that cannot be stopped', async () => {
    const { stops } = scene('server', 'pool');
    await expect(stops.run()).rejects.toMatchObject({ errors: [new TypeError('server'), new TypeError('pool')] });
  });
});
