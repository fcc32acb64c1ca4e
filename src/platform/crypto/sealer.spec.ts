import { randomBytes } from 'node:crypto';
import { SealError, Sealer } from './sealer';

const key = (id: string) => ({ id, secret: randomBytes(32) });

describe('Sealer', () => {
  const k1 = key('k1');
  const sealer = new Sealer([k1]);
  const secret = Buffer.from('hunter2');

  it('opens what it sealed, in the same context only', () => {
    const sealed = sealer.seal(secret, 'invite|1');
    expect(sealer.open(sealed, 'invite|1')).toEqual(secret);
    expect(() => sealer.open(sealed, 'invite|2')).toThrow(SealError);
    expect(sealed.includes(secret)).toBe(false);
  });

  it('never seals the same way twice', () => {
    expect(sealer.seal(secret, 'a').equals(sealer.seal(secret, 'a'))).toBe(false);
  });

  it('refuses every changed byte and every truncation', () => {
    const sealed = sealer.seal(secret, 'a');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => sealer.open(changed, 'a')).toThrow(SealError);
      expect(() => sealer.open(sealed.subarray(0, index), 'a')).toThrow(SealError);
    }
  });

  it('opens with an older key after a rotation, and not once that key is gone', () => {
    const sealed = sealer.seal(secret, 'a');
    const k2 = key('k2');
    expect(new Sealer([k2, k1]).open(sealed, 'a')).toEqual(secret);
    expect(() => new Sealer([k2]).open(sealed, 'a')).toThrow(SealError);
  });
});
