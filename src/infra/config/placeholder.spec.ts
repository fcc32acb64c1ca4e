import { randomBytes } from 'node:crypto';
import { isPlaceholder } from './placeholder';

describe('a placeholder', () => {
  const repeated = (piece: Buffer): Buffer => Buffer.concat([piece, piece]);

  // red when: its check is left out
  it.each<[string, string | Buffer]>([
    ['zeros', Buffer.alloc(32)],
    ['two bytes in turn', Buffer.alloc(32, 'ab')],
    ['a few bytes in no order', Buffer.from(Array.from({ length: 32 }, (_, n) => (n * n * 37) % 5))],
    ['a word again and again', Buffer.from('changemechangemechangemechangeme')],
    ['a sentence', Buffer.from('correct horse battery staple ok!')],
    ['counting up', Buffer.from(Array.from({ length: 32 }, (_, n) => n))],
    ['half a key twice', repeated(randomBytes(16))],
    ['the default of MinIO', 'minioadmin'],
    ['a word that says so', 'sk_live_CHANGE-ME-please-do-it'],
    ['one letter', 'aaaaaaaaaaaaaaaaaaaa'],
  ])('is %s', (_what, secret) => {
    expect(isPlaceholder(secret)).toBe(true);
  });

  it('is never what was made by chance', () => {
    for (let n = 0; n < 2_000; n++) {
      const bytes = randomBytes(32);
      const texts = (['hex', 'base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding));
      expect([bytes, ...texts].filter(isPlaceholder)).toEqual([]);
    }
    expect(isPlaceholder('a real one')).toBe(false);
  });
});
