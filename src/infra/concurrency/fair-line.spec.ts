import { FairLine, type Place } from './fair-line';

describe('FairLine', () => {
  // red when: `start` goes through all lanes of a share
  it('finds the next of a thousand lanes by the first one', () => {
    const line = new FairLine<Place>();
    for (let n = 0; n < 1000; n++) line.add({ lane: `lane ${n}` });
    const next = jest.spyOn(Object.getPrototypeOf(new Map().values()) as MapIterator<unknown>, 'next');
    const started = line.start(() => true);
    const steps = next.mock.calls.length;
    next.mockRestore();
    expect(started?.lane).toBe('lane 0');
    expect(steps).toBeLessThan(10);
  });

  // red when: a share takes its first turn after shares that had one
  it('gives a share that had no turn yet the next one', () => {
    const line = new FairLine<Place>();
    for (const lane of ['a', 'b']) line.add({ lane });
    expect(line.start(() => true)?.lane).toBe('a');
    line.add({ lane: 'x', share: 'reserved' });
    expect(line.start(() => true)?.lane).toBe('x');
    expect(line.start(() => true)?.lane).toBe('b');
  });

  // red when: the search ends at the first lane that may start
  it('prefers the lane with the fewest running tasks', () => {
    const line = new FairLine<Place>();
    line.startNow({ lane: 'a' });
    for (const lane of ['a', 'b']) line.add({ lane });
    expect(line.start(() => true)?.lane).toBe('b');
  });
});
