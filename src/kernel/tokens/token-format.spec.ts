import { TOKEN_PATTERN, isLinkToken, isWellFormedToken, newLinkToken, newToken } from './token-format';

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

  it('is recognized by secret scanners inside text', () => {
    const token = newToken('ag_prj_');
    expect(TOKEN_PATTERN.exec(`AG_TOKEN=${token}\n`)?.[0]).toBe(token);
  });

  it('makes URL-safe link tokens', () => {
    expect(isLinkToken(newLinkToken())).toBe(true);
    expect(isLinkToken('../etc')).toBe(false);
  });
});
