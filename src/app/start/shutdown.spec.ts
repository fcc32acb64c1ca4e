import { ShutdownHooks } from './shutdown';

describe('ShutdownHooks', () => {
  const fixture = (...failing: readonly string[]) => {
    const stopped: string[] = [];
    const hooks = new ShutdownHooks();
    for (const name of ['database', 'pool', 'server']) {
      hooks.push(() => {
        stopped.push(name);
        return failing.includes(name) ? Promise.reject(new TypeError(name)) : Promise.resolve();
      });
    }
    return { hooks, stopped };
  };

  // red when: the hooks run in the order of the start, or a hook stays registered after it ran
  it('runs every hook once, in reverse order', async () => {
    const { hooks, stopped } = fixture();
    await hooks.run();
    await hooks.run();
    expect(stopped).toEqual(['server', 'pool', 'database']);
  });

  // red when: `run` stops at the first failing hook (the embedded PostgreSQL would keep running), or swallows its error
  it('runs the remaining hooks when one fails', async () => {
    const { hooks, stopped } = fixture('server');
    await expect(hooks.run()).rejects.toThrow(new TypeError('server'));
    expect(stopped).toEqual(['server', 'pool', 'database']);
  });

  it('throws the errors of all failing hooks', async () => {
    const { hooks } = fixture('server', 'pool');
    await expect(hooks.run()).rejects.toMatchObject({ errors: [new TypeError('server'), new TypeError('pool')] });
  });
});
