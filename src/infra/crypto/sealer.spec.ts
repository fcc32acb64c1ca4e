import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Sealer, SealError } from './sealer';

const key = (id: string) => ({ id, secret: randomBytes(32) });

describe('Sealer', () => {
  const k1 = key('k1');
  const sealer = new Sealer([k1]);
  const secret = Buffer.from('hunter2');

  it('opens a sealed value only in its own context', () => {
    const sealed = sealer.seal(secret, 'invite|1');
    expect(sealer.open(sealed, 'invite|1')).toEqual(secret);
    expect(() => sealer.open(sealed, 'invite|2')).toThrow(SealError);
    expect(sealed.includes(secret)).toBe(false);
  });

  // Stored secrets must stay readable. red when: the key derivation changes in any way
  it('derives its keys with HKDF (RFC 5869)', () => {
    const info = 'agate|seal|invite|1';
    const derived = Buffer.from(hkdfSync('sha256', k1.secret, Buffer.alloc(0), info, 32));
    const head = Buffer.from([1, 2, ...Buffer.from('k1')]);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', derived, iv, { authTagLength: 16 });
    cipher.setAAD(Buffer.concat([head, Buffer.from('invite|1')]));
    const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
    expect(sealer.open(Buffer.concat([head, iv, cipher.getAuthTag(), ciphertext]), 'invite|1')).toEqual(secret);
  });

  it('seals equal values differently', () => {
    expect(sealer.seal(secret, 'a').equals(sealer.seal(secret, 'a'))).toBe(false);
  });

  it('rejects a value with a changed byte or a truncated end', () => {
    const sealed = sealer.seal(secret, 'a');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => sealer.open(changed, 'a')).toThrow(SealError);
      expect(() => sealer.open(sealed.subarray(0, index), 'a')).toThrow(SealError);
    }
  });

  it('opens a value of an older key until that key is removed', () => {
    const sealed = sealer.seal(secret, 'a');
    const k2 = key('k2');
    expect(new Sealer([k2, k1]).open(sealed, 'a')).toEqual(secret);
    expect(() => new Sealer([k2]).open(sealed, 'a')).toThrow(SealError);
  });
});
