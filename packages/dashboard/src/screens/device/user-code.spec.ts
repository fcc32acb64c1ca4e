import { asShown, isUserCode } from './user-code';

describe('a code of a program', () => {
  it.each(['WDJB-MJHT', 'wdjbmjht', ' WDJB MJHT ', 'wd-jb mj-ht'])('is recognized as %j', (text) => {
    expect(isUserCode(text)).toBe(true);
    expect(asShown(text)).toBe('WDJB-MJHT');
  });

  it.each(['', 'WDJB', 'WDJB-MJHTT', 'WDJB-MJHA', 'WDJB-MJH1', 'WDJB/MJHT'])('is not %j', (text) => {
    expect(isUserCode(text)).toBe(false);
  });
});
