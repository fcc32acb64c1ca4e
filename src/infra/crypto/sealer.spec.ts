import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
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

  // What was sealed stays readable. red when: the derivation is changed in any way
  it('derives its keys as RFC 5869 says', () => {
    const info = 'agate|seal|invite|1';
    const derived = Buffer.from(hkdfSync('sha256', k1.secret, Buffer.alloc(0), info, 32));
    const head = Buffer.from([1, 2, ...Buffer.from('k1')]);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', derived, iv, { authTagLength: 16 });
    cipher.setAAD(Buffer.concat([head, Buffer.from('invite|1')]));
    const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
    expect(sealer.open(Buffer.concat([head, iv, cipher.getAuthTag(), ciphertext]), 'invite|1')).toEqual(secret);
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
