import { crc32 } from 'node:zlib';
import { digestOf, isLinkToken, isWellFormedToken, newLinkToken, newToken, TOKEN_PATTERN } from './token-format';

/** Checksums computed by another implementation of CRC-32 and base 62. The format is published and must not change. */
const KNOWN = [
  ['ag_prj_', '1SZTSQ'],
  ['ag_pat_', '056HkK'],
  ['ag_ref_', '1b6xem'],
] as const;
const RANDOM = '0Aa9Zz0Aa9Zz0Aa9Zz0Aa9Zz0Aa9Zz0Aa9Zz0Aa9Zz0';

/** Appends the published checksum of a text: its CRC-32 in base 62. */
const withChecksum = (body: string): string => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  for (let rest = crc32(body); text.length < 6; rest = Math.floor(rest / 62)) text = digits.charAt(rest % 62) + text;
  return body + text;
};

describe('newToken', () => {
  it('returns the prefix, 43 random and 6 checksum characters, different each time', () => {
    const seen = new Set<string>();
    for (let index = 0; index < 10_000; index++) {
      const token = newToken(index % 2 ? 'ag_prj_' : 'ag_pat_');
      expect(token).toMatch(/^ag_(prj|pat)_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
      expect(isWellFormedToken(token, index % 2 ? 'ag_prj_' : 'ag_pat_')).toBe(true);
      seen.add(token);
    }
    expect(seen.size).toBe(10_000);
  });

  it('is recognized by TOKEN_PATTERN inside text', () => {
    const token = newToken('ag_prj_');
    expect(TOKEN_PATTERN.exec(`AG_TOKEN=${token}\n`)?.[0]).toBe(token);
  });

  it('is not recognized by TOKEN_PATTERN inside a longer word, nor when it is shorter', () => {
    const token = newToken('ag_ref_');
    for (const text of [`x${token}`, `${token}x`, token.slice(0, -1), `ag_xyz_${RANDOM}1SZTSQ`]) {
      expect(TOKEN_PATTERN.test(text)).toBe(false);
    }
  });
});

describe('isWellFormedToken', () => {
  it('rejects one wrong character anywhere, another prefix and another length', () => {
    const token = newToken('ag_prj_');
    for (let index = 0; index < token.length; index++) {
      const wrong = token.slice(0, index) + (token[index] === 'x' ? 'y' : 'x') + token.slice(index + 1);
      expect(isWellFormedToken(wrong, 'ag_prj_')).toBe(false);
    }
    expect(isWellFormedToken(token, 'ag_pat_')).toBe(false);
    expect(isWellFormedToken(token + '0', 'ag_prj_')).toBe(false);
    expect(isWellFormedToken('', 'ag_prj_')).toBe(false);
  });

  it.each(KNOWN)('accepts a token %s… with the checksum %s', (prefix, checksum) => {
    expect(isWellFormedToken(prefix + RANDOM + checksum, prefix)).toBe(true);
    expect(isWellFormedToken(`${prefix}${RANDOM.slice(0, -1)}!${checksum}`, prefix)).toBe(false);
  });

  it('rejects a wrong prefix, and a wrong checksum, each alone', () => {
    const other = `ag_pat_${RANDOM}056HkK`;
    expect(isWellFormedToken(other, 'ag_prj_')).toBe(false);
    expect(isWellFormedToken(`${other.slice(0, -1)}k`, 'ag_pat_')).toBe(false);
  });

  it('rejects wrong characters or a wrong length even when the checksum is correct', () => {
    expect(isWellFormedToken(withChecksum(`ag_pat_${RANDOM}`), 'ag_pat_')).toBe(true);
    for (const random of [
      `!${RANDOM.slice(1)}`,
      `${RANDOM.slice(1)}!`,
      `é${RANDOM.slice(1)}`,
      RANDOM.slice(1),
      `${RANDOM}0`,
      '',
    ]) {
      expect([random, isWellFormedToken(withChecksum(`ag_pat_${random}`), 'ag_pat_')]).toEqual([random, false]);
    }
  });
});

describe('digestOf', () => {
  it('is the SHA-256 of the token', () => {
    expect(digestOf(`ag_prj_${RANDOM}1SZTSQ`).toString('hex')).toBe(
      'f05e828a81cbb49fe33b7f6a5256556b141075f7466bfd510f94c2ef3496d68f',
    );
  });
});

describe('isLinkToken', () => {
  it('accepts new link tokens', () => {
    expect(isLinkToken(newLinkToken())).toBe(true);
  });

  it('rejects every other format', () => {
    const token = newLinkToken();
    expect(token).toHaveLength(43);
    for (const value of [
      token.slice(1),
      `${token}A`,
      `${token}!`,
      `!${token}`,
      ` ${token.slice(1)}`,
      '',
      null,
      7,
      [token],
      '../etc',
    ]) {
      expect([value, isLinkToken(value)]).toEqual([value, false]);
    }
  });
});
