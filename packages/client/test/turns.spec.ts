import { Gate } from '../src/upload/gate';
import { SendingSlots } from '../src/upload/sending-slots';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('slots for sending', () => {
  it('are granted in the order of the requests, at most the available number', async () => {
    const { signal } = new AbortController();
    const slots = new SendingSlots(2);
    const entered: number[] = [];
    const releases = [0, 1, 2, 3].map((index) =>
      slots.acquire(signal).then((release) => (entered.push(index), release)),
    );
    await turn();
    expect(entered).toEqual([0, 1]);
    const first = await releases[0]!;
    first();
    first();
    await turn();
    expect(entered).toEqual([0, 1, 2]);
    (await releases[1]!)();
    await turn();
    expect(entered).toEqual([0, 1, 2, 3]);
  });

  it('pass over an upload that was discarded while it waited', async () => {
    const slots = new SendingSlots(1);
    const { signal } = new AbortController();
    const discarded = new AbortController();
    const release = await slots.acquire(signal);
    const waiting = slots.acquire(discarded.signal);
    const next = slots.acquire(signal);
    discarded.abort(new Error('discarded'));
    await expect(waiting).rejects.toThrow('discarded');
    release();
    (await next)();
    await expect(slots.acquire(discarded.signal)).rejects.toThrow('discarded');
  });
});

describe('a gate', () => {
  it('opens when no reason keeps it closed', async () => {
    const { signal } = new AbortController();
    const gate = new Gate<'paused' | 'offline'>();
    gate.set('paused', true);
    gate.set('offline', true);
    let hasPassed = false;
    const passed = gate.passed(signal).then(() => (hasPassed = true));
    gate.set('paused', false);
    await turn();
    expect([hasPassed, gate.isClosedBy('offline')]).toEqual([false, true]);
    gate.set('offline', false);
    await passed;
    await gate.passed(signal);
  });

  it('rejects the wait of an upload that is discarded', async () => {
    const aborter = new AbortController();
    const gate = new Gate<'paused'>();
    gate.set('paused', true);
    const passed = gate.passed(aborter.signal);
    aborter.abort(new Error('discarded'));
    await expect(passed).rejects.toThrow('discarded');
  });
});
