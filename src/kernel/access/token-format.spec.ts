import { crc32 } from 'node:zlib';
import { digestOf, isLinkToken, isWellFormedToken, newLinkToken, newToken, TOKEN_PATTERN } from './token-format';

/** Computed by another implementation of CRC-32 and base 62: the format is published, it must not drift. */
const KNOWN = [
  ['ag_prj_', '1SZTSQ'],
  ['ag_pat_', '056HkK'],
  ['ag_ref_', '1b6xem'],
] as const;
const RANDOM = '0Aa9Zz0Aa9Zz0Aa9Zz0Aa9Zz0Aa9Zz0Aa9Zz0Aa9Zz0';

/** The published checksum of any text: its CRC-32 in base 62. */
const withChecksum = (body: string): string => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  for (let rest = crc32(body); text.length < 6; rest = Math.floor(rest / 62)) text = digits.charAt(rest % 62) + text;
  return body + text;
};

describe('token format (reliability C1)', () => {
  it('is prefix + 43 random + 6 checksum characters, all different', () => {
    const seen = new Set<string>();
    for (let index = 0; index < 10_000; index++) {
      const token = newToken(index % 2 ? 'ag_prj_' : 'ag_pat_');
      expect(token).toMatch(/^ag_(prj|pat)_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
      expect(isWellFormedToken(token, index % 2 ? 'ag_prj_' : 'ag_pat_')).toBe(true);
      seen.add(token);
    }
    expect(seen.size).toBe(10_000);
  });

  it('refuses one wrong character anywhere, another prefix and another length', () => {
    const token = newToken('ag_prj_');
    for (let index = 0; index < token.length; index++) {
      const wrong = token.slice(0, index) + (token[index] === 'x' ? 'y' : 'x') + token.slice(index + 1);
      expect(isWellFormedToken(wrong, 'ag_prj_')).toBe(false);
    }
    expect(isWellFormedToken(token, 'ag_pat_')).toBe(false);
    expect(isWellFormedToken(token + '0', 'ag_prj_')).toBe(false);
    expect(isWellFormedToken('', 'ag_prj_')).toBe(false);
  });

  it.each(KNOWN)('%s… has the checksum %s', (prefix, checksum) => {
    expect(isWellFormedToken(prefix + RANDOM + checksum, prefix)).toBe(true);
    expect(isWellFormedToken(`${prefix}${RANDOM.slice(0, -1)}!${checksum}`, prefix)).toBe(false);
  });

  it('is refused for each fault alone, though the checksum fits', () => {
    const other = `ag_pat_${RANDOM}056HkK`;
    expect(isWellFormedToken(other, 'ag_prj_')).toBe(false);
    expect(isWellFormedToken(`${other.slice(0, -1)}k`, 'ag_pat_')).toBe(false);
  });

  it('is refused for its characters or its length alone', () => {
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

  it('is kept as its SHA-256', () => {
    expect(digestOf(`ag_prj_${RANDOM}1SZTSQ`).toString('hex')).toBe(
      'f05e828a81cbb49fe33b7f6a5256556b141075f7466bfd510f94c2ef3496d68f',
    );
  });

  it('is not recognized inside a longer word, nor when it is shorter', () => {
    const token = newToken('ag_ref_');
    for (const text of [`x${token}`, `${token}x`, token.slice(0, -1), `ag_xyz_${RANDOM}1SZTSQ`]) {
      expect(TOKEN_PATTERN.test(text)).toBe(false);
    }
  });

  it('knows what cannot be a link token', () => {
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
    ]) {
      expect([value, isLinkToken(value)]).toEqual([value, false]);
    }
  });

  it('is recognized by secret scanners inside text', () => {
    const token = newToken('ag_prj_');
    expect(TOKEN_PATTERN.exec(`AG_TOKEN=${token}\n`)?.[0]).toBe(token);
  });

  it('makes URL-safe link tokens', () => {
    expect(isLinkToken(newLinkToken())).toBe(true);
    expect(isLinkToken('../etc')).toBe(false);
  });
});
