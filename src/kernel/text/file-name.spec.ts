import { shownFileName } from './file-name';

describe('shownFileName', () => {
  it.each([
    ['app.ipa', 'app.ipa'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ann\\My App.apk', 'My App.apk'],
    ['a\0b.apk', 'ab.apk'],
    ['x\r\nSet-Cookie: a=b.apk', 'xSet-Cookie: a=b.apk'],
    ['invoice\u202egpj.apk', 'invoicegpj.apk'],
    ['zero\u200bwidth\ufeff.ipa', 'zerowidth.ipa'],
    ['приложение 🚀.apk', 'приложение 🚀.apk'],
    ['half \ud800.apk', 'half .apk'],
    ['a"b.apk', 'a"b.apk'],
    ['Cafe\u0301.ipa', 'Caf\u00e9.ipa'],
    ['', 'artifact'],
    ['..', 'artifact'],
    ['/', 'artifact'],
    [' . ', 'artifact'],
    ['.hidden', '.hidden'],
  ])('shows %j as %j', (raw, shown) => {
    expect(shownFileName(raw)).toBe(shown);
  });

  it.each([
    ['a'.repeat(300) + '.apk', 'a'.repeat(251) + '.apk'],
    ['🚀'.repeat(100) + '.ipa', '🚀'.repeat(62) + '.ipa'],
    ['a.' + 'b'.repeat(400), 'a.' + 'b'.repeat(253)],
  ])('shortens a long name to 255 bytes and keeps its extension (%#)', (raw, shown) => {
    expect(shownFileName(raw)).toBe(shown);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(255);
  });
});
