import { lettersOf, newUserCode, USER_CODE_PATTERN } from './user-code';

describe('a user code', () => {
  it('has two groups of four consonants', () => {
    for (let n = 0; n < 200; n += 1)
      expect(newUserCode()).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  });

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 100 }, newUserCode)).size).toBe(100);
  });

  it.each(['WDJB-MJHT', 'wdjbmjht', ' WDJB MJHT ', 'wd-jb mj-ht'])('is recognized as %j', (typed) => {
    expect(typed).toMatch(USER_CODE_PATTERN);
    expect(lettersOf(typed)).toBe('WDJBMJHT');
  });

  it.each(['', 'WDJB-MJH', 'WDJB-MJHTT', 'WDJB-MJHA', 'WDJB-MJH1', 'WDJB_MJHT', 'WDJB-MJHY'])('is not %j', (typed) =>
    expect(typed).not.toMatch(USER_CODE_PATTERN),
  );
});
