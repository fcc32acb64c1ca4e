import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partsOf } from '../../../../../test/support/artifacts/signed/signed-package';
import { WorkClock } from '../../limits/work-clock';
import { verifySigners } from './block-signers';
import { UncheckedSignature } from './signature-problem';

const FIXTURE = join(__dirname, '../../../../../test/fixtures/artifacts/signed/v1-v2-v3-rotated.apk');
const V3 = 0xf05368c0;

/** A clock that is over after some signatures. */
class CountingClock extends WorkClock {
  measured = 0;

  constructor(private readonly allowed: number) {
    super({ workMs: Infinity, totalMs: Infinity });
  }

  override measure<T>(work: () => T): T {
    this.measured += 1;
    return work();
  }

  override get isOver(): boolean {
    return this.measured >= this.allowed;
  }
}

describe('verifySigners', () => {
  const block = partsOf(readFileSync(FIXTURE)).pairs.find(({ id }) => id === V3)!.value;
  const verify = (clock: WorkClock) => verifySigners({ scheme: 'v3', minSdk: 28, clock }, block);

  it('measures the signature of the signer and of each change of its key', () => {
    const clock = new CountingClock(2);
    expect(verify(clock)).toMatchObject([{ lineage: [expect.any(Buffer), expect.any(Buffer)] }]);
    expect(clock.measured).toBe(2);
  });

  // red when: a hostile block of many signatures with slow keys is verified to its end
  it.each([0, 1])('leaves the scheme unchecked when the time is over after %d signatures', (allowed) => {
    expect(() => verify(new CountingClock(allowed))).toThrow(UncheckedSignature);
  });
});
