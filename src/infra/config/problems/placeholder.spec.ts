import { randomBytes } from 'node:crypto';
import { isPlaceholder } from './placeholder';

describe('isPlaceholder', () => {
  const repeated = (piece: Buffer): Buffer => Buffer.concat([piece, piece]);

  // red when: the check for it is removed
  it.each<[string, string | Buffer]>([
    ['zeros', Buffer.alloc(32)],
    ['two alternating bytes', Buffer.alloc(32, 'ab')],
    ['a few distinct bytes in any order', Buffer.from(Array.from({ length: 32 }, (_, n) => (n * n * 37) % 5))],
    ['a repeated word', Buffer.from('changemechangemechangemechangeme')],
    ['a sentence', Buffer.from('correct horse battery staple ok!')],
    ['counting bytes', Buffer.from(Array.from({ length: 32 }, (_, n) => n))],
    ['a repeated half', repeated(randomBytes(16))],
    ['the default of MinIO', 'minioadmin'],
    ['text with CHANGE-ME', 'sk_live_CHANGE-ME-please-do-it'],
    ['a repeated letter', 'aaaaaaaaaaaaaaaaaaaa'],
  ])('returns true for %s', (_what, secret) => {
    expect(isPlaceholder(secret)).toBe(true);
  });

  it('returns false for random bytes', () => {
    for (let n = 0; n < 2_000; n++) {
      const bytes = randomBytes(32);
      const texts = (['hex', 'base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding));
      expect([bytes, ...texts].filter(isPlaceholder)).toEqual([]);
    }
    expect(isPlaceholder('a real one')).toBe(false);
  });
});
