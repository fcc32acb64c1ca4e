import { FairLine, type Place } from './fair-line';

describe('FairLine', () => {
  // red when: `start` goes through all lanes of a share
  it('finds the next of a thousand lanes by the first one', () => {
    const line = new FairLine<Place>();
    for (let n = 0; n < 1000; n++) line.add({ lane: `lane ${n}` });
    let asked = 0;
    const started = line.start(() => (asked += 1) > 0);
    expect([started?.lane, asked]).toEqual(['lane 0', 1]);
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
