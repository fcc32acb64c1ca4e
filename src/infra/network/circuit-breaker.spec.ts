import { CircuitBreaker, CircuitOpenError } from './circuit-breaker';

class Timeout extends Error {}

describe('CircuitBreaker', () => {
  const fixture = () => {
    const state = { now: 0, calls: 0, changes: [] as boolean[] };
    const circuit = new CircuitBreaker({
      server: 'The server',
      isOutage: (error) => error instanceof Timeout,
      onChange: (isOpen) => state.changes.push(isOpen),
      now: () => state.now,
    });
    const call = (outcome: 'ok' | Error): Promise<string> =>
      circuit
        .run(() => {
          state.calls += 1;
          return outcome === 'ok' ? Promise.resolve('ok') : Promise.reject(outcome);
        })
        .catch((error: unknown) => (error as Error).constructor.name);
    const break_ = async (): Promise<void> => {
      for (let n = 0; n < 3; n++) await call(new Timeout());
    };
    return { state, circuit, call, break_ };
  };

  // red when: the outages are not counted in a row
  it('opens after three outages in a row, and rejects work immediately', async () => {
    const { state, call, break_ } = fixture();
    await call(new Timeout());
    await call(new Timeout());
    await call('ok');
    await break_();
    expect([state.calls, state.changes]).toEqual([6, [true]]);
    expect(await call('ok')).toBe(CircuitOpenError.name);
    expect(state.calls).toBe(6);
  });

  // red when: a rejected piece of work counts as an outage
  it('stays closed when the server rejects the work', async () => {
    const { state, call } = fixture();
    for (let n = 0; n < 5; n++) expect(await call(new TypeError('rejected'))).toBe('TypeError');
    expect(state.changes).toEqual([]);
  });

  // red when: all waiting work tries the server after the pause
  it('tries the server with one piece of work after the pause, and closes when it succeeds', async () => {
    const { state, circuit, call, break_ } = fixture();
    await break_();
    state.now = 4_999;
    expect(await call('ok')).toBe(CircuitOpenError.name);
    state.now = 5_000;
    expect(await Promise.all([call('ok'), call('ok')])).toEqual(['ok', CircuitOpenError.name]);
    expect([await call('ok'), state.changes, circuit.isIdle]).toEqual(['ok', [true, false], true]);
  });

  // red when: the pause does not grow, or has no limit
  it('doubles the pause with each failed attempt, up to a minute', async () => {
    const { state, call, break_ } = fixture();
    await break_();
    const pauses: number[] = [];
    for (let n = 0; n < 6; n++) {
      const since = state.now;
      while ((await call(new Timeout())) === CircuitOpenError.name) state.now += 5_000;
      pauses.push(state.now - since);
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(state.changes).toEqual([true]);
  });

  // red when: work that began earlier, and times out after the circuit has opened, opens it again
  it('is not prolonged by work that began before it opened', async () => {
    const { state, circuit, call, break_ } = fixture();
    let fail: (error: Error) => void = () => undefined;
    const slow = circuit.run(() => new Promise((_, reject) => (fail = reject)));
    await break_();
    state.now = 4_000;
    fail(new Timeout());
    await expect(slow).rejects.toThrow(Timeout);
    state.now = 5_000;
    expect(await call('ok')).toBe('ok');
  });
});
