import { collectGarbage, countReceived } from './collect-garbage';

const MIB = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

describe('countReceived', () => {
  // red when: nothing is collected
  it('keeps the memory of dropped chunks below 24 MiB', async () => {
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    for (let chunk = 0; chunk < 3_000; chunk += 1) {
      countReceived(Buffer.allocUnsafeSlow(CHUNK_BYTES).length);
      if (chunk % 16 > 0) continue;
      await new Promise((resolve) => setImmediate(resolve));
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    }
    expect(peak).toBeLessThan(24 * MIB);
  });
});
